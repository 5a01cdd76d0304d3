import { openScratchFile } from '#lib/system/open-scratch-file.ts';

/** Position of a text in a spool, in bytes. */
export type SpooledSpan = { offset: number; length: number };

/** Texts stored on disk, so that only their positions are in memory. */
export type Spool = {
  add(text: string): Promise<SpooledSpan>;
  /** Returns the texts at these positions, in order. */
  read(spans: readonly SpooledSpan[]): Promise<string[]>;
  /** Deletes the texts from disk. */
  close(): Promise<void>;
};

const CHUNK_BYTES = 1_000_000;

/** Returns consecutive spans that are adjacent in the file, so that they can be read at once. */
function adjacent(spans: readonly SpooledSpan[], from: number): SpooledSpan[] {
  const together: SpooledSpan[] = [];
  let bytes = 0;
  for (const span of spans.slice(from)) {
    const last = together.at(-1);
    if (last !== undefined && (last.offset + last.length !== span.offset || bytes + span.length > CHUNK_BYTES)) break;
    together.push(span);
    bytes += span.length;
  }
  return together;
}

/** Opens a spool in a temporary file that other users cannot read and that is removed even after a crash. */
export async function openSpool(): Promise<Spool> {
  const file = await openScratchFile();
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let written = 0;

  async function write() {
    if (waitingBytes === 0) return;
    await file.write(Buffer.concat(waiting), 0, waitingBytes, written);
    written += waitingBytes;
    waiting = [];
    waitingBytes = 0;
  }

  return {
    async add(text) {
      const bytes = Buffer.from(text);
      const span = { offset: written + waitingBytes, length: bytes.byteLength };
      waiting.push(bytes);
      waitingBytes += bytes.byteLength;
      if (waitingBytes >= CHUNK_BYTES) await write();
      return span;
    },
    async read(spans) {
      await write();
      const texts: string[] = [];
      for (let from = 0; from < spans.length; ) {
        const together = adjacent(spans, from);
        const start = together[0]?.offset ?? 0;
        const length = together.reduce((sum, span) => sum + span.length, 0);
        const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, start);
        for (const span of together)
          texts.push(buffer.toString('utf8', span.offset - start, span.offset - start + span.length));
        from += together.length;
      }
      return texts;
    },
    close: () => file.close(),
  };
}
