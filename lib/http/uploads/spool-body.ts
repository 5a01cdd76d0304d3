import type { FileHandle } from 'node:fs/promises';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { openScratchFile } from '#lib/system/open-scratch-file.ts';
import { inTurn, openTurns, type Turns } from '#lib/system/turns.ts';

/** A body that arrived as a whole and waits on disk. */
type SpooledBody = {
  /** Its bytes, from the beginning at each call. Throws between two pieces once `signal` is aborted. */
  bytes(signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>;
  /** Takes it off the disk. */
  close(): Promise<void>;
};

/** Small enough that others get their turn soon while short lines are read. */
const CHUNK_BYTES = 64_000;

/**
 * Writes the pieces of a body to a temporary file; memory holds one chunk, however small the pieces are. The first problem among them
 * ends it, and so does a full disk (`unavailable`); then nothing stays on the disk.
 */
export async function spoolBody(pieces: AsyncIterable<Result<Uint8Array>>): Promise<Result<SpooledBody>> {
  let file: FileHandle | null = null;
  let isKept = false;
  try {
    file = await openScratchFile();
    const written = await writeAll(file, pieces);
    if (!written.ok) return written;
    isKept = true;
    return succeed(spooled(file, written.value));
  } catch (error) {
    if (error instanceof Error && 'code' in error && FULL.has(error.code))
      return fail(
        'unavailable',
        'The disk for temporary files is full, so the body was not stored. Free some space, or set TMPDIR to a larger disk.',
      );
    throw error;
  } finally {
    if (!isKept) await file?.close();
  }
}

const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT']);

/** The number of bytes written, or the first problem. */
async function writeAll(file: FileHandle, pieces: AsyncIterable<Result<Uint8Array>>): Promise<Result<number>> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  let length = 0;
  for await (const piece of pieces) {
    if (!piece.ok) return piece;
    for (let from = 0; from < piece.value.byteLength; ) {
      const part = piece.value.subarray(from, from + CHUNK_BYTES - filled);
      chunk.set(part, filled);
      filled += part.byteLength;
      from += part.byteLength;
      if (filled < CHUNK_BYTES) continue;
      await writeChunk(file, chunk, length);
      length += filled;
      filled = 0;
    }
  }
  await writeChunk(file, chunk.subarray(0, filled), length);
  return succeed(length + filled);
}

/** A write may take fewer bytes than it was given, as on a disk that is nearly full. */
async function writeChunk(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let from = 0; from < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, from, chunk.byteLength - from, position + from);
    from += bytesWritten;
  }
}

function spooled(file: FileHandle, length: number): SpooledBody {
  return {
    async *bytes(signal) {
      for (let position = 0; position < length; ) {
        signal?.throwIfAborted();
        // A new buffer each time: who reads may keep a piece.
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
        if (bytesRead === 0) throw new Error(`a spooled body ended at byte ${position} of ${length}`);
        yield buffer.subarray(0, bytesRead);
        position += bytesRead;
      }
    },
    close: () => file.close(),
  };
}

declare global {
  // Routes are module instances of their own; only `globalThis` is shared.
  var honeStoring: Turns | undefined;
}

/** So many uploads are checked and stored at the same time in one process: the pool has connections left for everybody else. */
const MOST_STORING = 4;

/** Does the work on an upload that has arrived as a whole, when it is its turn. */
export function inStoringTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  globalThis.honeStoring ??= openTurns();
  return inTurn(globalThis.honeStoring, MOST_STORING, work);
}
