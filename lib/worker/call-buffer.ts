import type { CallEntry } from '#lib/runs/call-schema.ts';

/** Time that a recorded call waits to be saved together with its step, in milliseconds. */
const WAIT_MS = 2;

/**
 * Buffers calls just long enough for the save of their step to include them, so that most calls cost one commit. If no save takes them by
 * then (the step still waits for another call), they are written separately.
 */
export class CallBuffer {
  private readonly write: (entries: CallEntry[]) => Promise<void>;
  private entries: CallEntry[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private held: Promise<void> | null = null;

  constructor(write: (entries: CallEntry[]) => Promise<void>) {
    this.write = write;
  }

  add(entry: CallEntry): void {
    this.entries.push(entry);
    if (this.held === null) this.flushSoon();
  }

  /** Returns the unwritten calls, which the caller must save. */
  take(): CallEntry[] {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const entries = this.entries;
    this.entries = [];
    return entries;
  }

  /** Adds back the calls that a save could not write, before those made since. */
  restore(entries: CallEntry[]): void {
    for (const entry of [...entries, ...this.take()]) this.add(entry);
  }

  /** Writes no calls until a save has succeeded or failed, so that the journal is never ahead of the results it belongs to. */
  holdUntil(saving: Promise<unknown>): void {
    const held = Promise.allSettled([saving]).then(() => {
      if (this.held !== held) return;
      this.held = null;
      if (this.entries.length > 0) this.flushSoon();
    });
    this.held = held;
  }

  /** Writes the buffered calls and waits until all are written. If the write fails, throws and keeps them. */
  flush(): Promise<void> {
    const done = Promise.all([this.writing, this.held]).then(() => this.writeEntries());
    this.writing = done.catch(() => undefined);
    return done;
  }

  private flushSoon(): void {
    // The next flush or save includes the calls that could not be written.
    this.timer ??= setTimeout(() => this.flush().catch(() => undefined), WAIT_MS);
  }

  private async writeEntries(): Promise<void> {
    const entries = this.take();
    try {
      await this.write(entries);
    } catch (error) {
      this.entries.unshift(...entries);
      throw error;
    }
  }
}
