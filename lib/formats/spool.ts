import { openScratchFile } from '#lib/system/open-scratch-file.ts';

/** Where a text stands in a spool, in bytes. */
export type SpooledPlace = { offset: number; length: number };

/** Texts that wait on disk, so that memory holds only where they stand. */
export type Spool = {
  add(text: string): Promise<SpooledPlace>;
  /** The texts at these places, in their order. */
  read(places: readonly SpooledPlace[]): Promise<string[]>;
  /** Takes the texts off the disk. */
  close(): Promise<void>;
};

/** So many bytes are written together. */
const CHUNK_BYTES = 1_000_000;

/** Places from one on that follow each other in the file: they are read together. */
function adjacent(places: readonly SpooledPlace[], from: number): SpooledPlace[] {
  const together: SpooledPlace[] = [];
  let bytes = 0;
  for (const place of places.slice(from)) {
    const last = together.at(-1);
    if (last !== undefined && (last.offset + last.length !== place.offset || bytes + place.length > CHUNK_BYTES)) break;
    together.push(place);
    bytes += place.length;
  }
  return together;
}

/** A new spool in a temporary file that nobody else can read and that no crash leaves behind. */
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
      const place = { offset: written + waitingBytes, length: bytes.byteLength };
      waiting.push(bytes);
      waitingBytes += bytes.byteLength;
      if (waitingBytes >= CHUNK_BYTES) await write();
      return place;
    },
    async read(places) {
      await write();
      const texts: string[] = [];
      for (let from = 0; from < places.length; ) {
        const together = adjacent(places, from);
        const start = together[0]?.offset ?? 0;
        const length = together.reduce((sum, place) => sum + place.length, 0);
        const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, start);
        for (const place of together)
          texts.push(buffer.toString('utf8', place.offset - start, place.offset - start + place.length));
        from += together.length;
      }
      return texts;
    },
    close: () => file.close(),
  };
}
