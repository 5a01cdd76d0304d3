import type { CallEntry } from '#lib/runs/call-schema.ts';

/** How long a recorded call waits to be saved together with the step it belongs to, in milliseconds. */
const WAIT_MS = 2;

/**
 * Holds calls just long enough for the step's own save to take them along, so that most calls cost one commit. What no save has
 * taken by then (the step still waits for another call) is written at once by itself.
 */
export class CallBuffer {
  private readonly write: (entries: CallEntry[]) => Promise<void>;
  private entries: CallEntry[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(write: (entries: CallEntry[]) => Promise<void>) {
    this.write = write;
  }

  add(entry: CallEntry): void {
    this.entries.push(entry);
    this.timer ??= setTimeout(() => this.flushInBackground(), WAIT_MS);
  }

  /** Hands over what is not written yet; the caller must save it. */
  take(): CallEntry[] {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const taken = this.entries;
    this.entries = [];
    return taken;
  }

  /** Takes back what a save could not write. */
  restore(entries: CallEntry[]): void {
    for (const entry of entries) this.add(entry);
  }

  /** Writes what is held and waits until all is written; throws when the write failed, and then still holds it. */
  flush(): Promise<void> {
    const done = this.writing.then(() => this.writeHeld());
    this.writing = done.catch(() => undefined);
    return done;
  }

  private flushInBackground(): void {
    // Whoever flushes or saves next finds what could not be written.
    this.flush().catch(() => undefined);
  }

  private async writeHeld(): Promise<void> {
    const entries = this.take();
    try {
      await this.write(entries);
    } catch (error) {
      this.entries.unshift(...entries);
      throw error;
    }
  }
}
