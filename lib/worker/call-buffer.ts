import type { CallEntry } from '#lib/runs/call-schema.ts';

/** Time that a recorded call waits to be saved together with its step, in milliseconds. */
const WAIT_MS = 2;

/** Writes calls. `again`: some of them may be stored already. */
type WriteCalls = (entries: CallEntry[], again: boolean) => Promise<void>;

/**
 * Buffers calls just long enough for the save of their step to include them, so that most calls cost one commit. If no save takes them by
 * then (the step still waits for another call), they are written separately.
 */
export class CallBuffer {
  private readonly write: WriteCalls;
  private entries: CallEntry[] = [];
  /** Calls of a save or write that was refused or failed. It may have been committed although its response was lost. */
  private unconfirmed: CallEntry[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private held: Promise<void> | null = null;

  constructor(write: WriteCalls) {
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

  /** Adds back the calls of a save that was refused or failed. They are written separately, before those made since. */
  restore(entries: CallEntry[]): void {
    this.unconfirmed.push(...entries);
    if (this.held === null) this.flushSoon();
  }

  /** Returns the number of calls that are not written. */
  get size(): number {
    return this.unconfirmed.length + this.entries.length;
  }

  /** Writes no calls until a save has succeeded or failed, so that the journal is never ahead of the results it belongs to. */
  holdUntil(saving: Promise<unknown>): void {
    const held = Promise.allSettled([saving]).then(() => {
      if (this.held !== held) return;
      this.held = null;
      if (this.size > 0) this.flushSoon();
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
    const again = this.unconfirmed.length > 0;
    const entries = [...this.unconfirmed, ...this.take()];
    this.unconfirmed = [];
    try {
      await this.write(entries, again);
    } catch (error) {
      this.unconfirmed.unshift(...entries);
      throw error;
    }
  }
}
