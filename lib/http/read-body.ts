import type { FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findJsonError } from '#lib/formats/find-json-error.ts';
import { type BodyPace, readAtPace, UPLOAD_LIMITS, type UploadLimits } from '#lib/http/uploads/read-at-pace.ts';
import { openScratchFile } from '#lib/system/open-scratch-file.ts';
import { inTurn, openTurns, type Turns } from '#lib/system/turns.ts';
import { takeSlot } from './slots.ts';

/** Behind proxy.ts Next cuts bodies off at 10 MB: whatever is larger must be refused before that. */
const JSON_LIMIT_BYTES = 8_000_000;

/** The JSON body of a request. It is checked and cleaned by the use case. Other types: 415; larger: 413; broken: 400, with the place. */
export async function readJson(request: Request, limitBytes: number = JSON_LIMIT_BYTES): Promise<Result<unknown>> {
  const type = mediaType(request);
  if (type !== 'application/json') return unsupportedType(type, ['application/json']);
  const text = await readText(request, limitBytes);
  return text.ok ? parseJson(text.value) : text;
}

/** The JSON body of a request that may have none; an empty one counts as `{}`. Else as `readJson` reads it. */
export async function readOptionalJson(request: Request): Promise<Result<unknown>> {
  const text = await readText(request, JSON_LIMIT_BYTES);
  if (!text.ok) return text;
  if (text.value.trim() === '') return succeed({});
  const type = mediaType(request);
  return type === 'application/json' ? parseJson(text.value) : unsupportedType(type, ['application/json']);
}

/**
 * For a route that takes no body: null where none was sent, or `{}`; else the refusal, so that nobody takes what they sent for heeded.
 */
export async function refuseBody(request: Request): Promise<Result<never> | null> {
  const text = await readText(request, JSON_LIMIT_BYTES);
  if (!text.ok) return text;
  if (/^\s*(\{\s*\}\s*)?$/.test(text.value)) return null;
  return fail('invalid', 'This route takes no body. Send none, or {}.');
}

/** Without parameters such as charset, in lower case; empty where none is named. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
}

export function unsupportedType(type: string, supported: string[]): Result<never> {
  return fail(
    'unsupported_type',
    `The content type must be ${supported.join(' or ')}, not ${type === '' ? 'missing' : type}.`,
  );
}

/** Read past a limit and thrown away: a client that still sends when the connection is closed would not see the answer. */
const DRAIN_BYTES = 16_000_000;
/** Who announces too much and then sends nothing waits for the answer. */
const DRAIN_IDLE_MS = 500;
const DRAIN_MS = 10_000;
/** Most uploads take no longer. */
const RETRY_AFTER_SECONDS = 5;

/** The body as UTF-8 text, without a byte order mark; as `readBytes` reads it. */
export async function readText(request: Request, limitBytes: number): Promise<Result<string>> {
  const bytes = await readBytes(request, limitBytes);
  return bytes.ok ? succeed(new TextDecoder().decode(bytes.value)) : bytes;
}

/** The body as it came. Keeps no more than `limitBytes`, whatever Content-Length says; one that is too slow is cut off. */
export async function readBytes(
  request: Request,
  limitBytes: number,
  pace: BodyPace = UPLOAD_LIMITS,
): Promise<Result<Uint8Array>> {
  const refusal = await refuseUnread(request, limitBytes);
  if (refusal !== null) return refusal;
  const chunks: Uint8Array[] = [];
  for await (const piece of piecesOf(request, limitBytes, pace)) {
    if (!piece.ok) return piece;
    chunks.push(piece.value);
  }
  return succeed(Buffer.concat(chunks));
}

/** Who sends an upload, the most bytes it may have, and how slowly and how many at once they may come. */
type UploadRules = { actor: Pick<Actor, 'id' | 'memberId'>; limitBytes: number; limits?: UploadLimits };

/**
 * Receives a whole body in a temporary file, and only then hands it to `take`: whatever `take` holds, such as a connection to the
 * database, it never holds while it waits for a client. The body is never in memory as a whole, and is off the disk when `take` is
 * done. `limits` bound how slow a body may be (408) and how many one person sends at once (429).
 */
export async function receiveBody<Value>(
  request: Request,
  { actor, limitBytes, limits = UPLOAD_LIMITS }: UploadRules,
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const refusal = await refuseUnread(request, limitBytes);
  if (refusal !== null) return refusal;
  const giveBack = takeSlot('upload', personOf(actor), limits.perPerson);
  if (giveBack === null) {
    if (request.body !== null) await drain(request.body.getReader(), limitBytes);
    return tooMany(limits.perPerson);
  }
  try {
    const body = await spoolBody(piecesOf(request, limitBytes, limits));
    if (!body.ok) return body;
    try {
      return await inStoringTurn(() => take(body.value.bytes(request.signal)));
    } catch (error) {
      if (request.signal.aborted)
        return fail('invalid', 'The connection closed before the response. Nothing was stored.');
      throw error;
    } finally {
      await body.value.close();
    }
  } finally {
    giveBack();
  }
}

/** The pieces of a body as they arrive, then the problem where it has more than `limitBytes`, is too slow or breaks off. */
async function* piecesOf(
  { body }: Request,
  limitBytes: number,
  pace: BodyPace,
): AsyncGenerator<Result<Uint8Array>, void, undefined> {
  if (body === null) return;
  let length = 0;
  for await (const piece of readAtPace(body, pace)) {
    if (!piece.ok) return yield piece;
    length += piece.value.byteLength;
    if (length > limitBytes + DRAIN_BYTES) break;
    if (length <= limitBytes) yield piece;
  }
  if (length > limitBytes) yield tooLarge(limitBytes);
}

/** A body that is packed, or that is announced as too large. */
async function refuseUnread(request: Request, limitBytes: number): Promise<Result<never> | null> {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity')
    return fail('unsupported_type', `The body must be sent as it is, not with content encoding ${encoding}.`);
  if (Number(request.headers.get('content-length') ?? 0) <= limitBytes) return null;
  if (request.body !== null) await drain(request.body.getReader(), limitBytes + DRAIN_BYTES);
  return tooLarge(limitBytes);
}

/** Throws away what is being sent, until it ends, pauses, takes too long, or is more than `limitBytes`. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, limitBytes: number): Promise<void> {
  const until = performance.now() + DRAIN_MS;
  let length = 0;
  while (length <= limitBytes && performance.now() < until) {
    const idle = new AbortController();
    const chunk = await Promise.race([
      reader.read().catch(() => null),
      sleep(DRAIN_IDLE_MS, null, { signal: idle.signal }).catch(() => null),
    ]);
    idle.abort();
    if (chunk === null || chunk.done) return;
    length += chunk.value.byteLength;
  }
}

function tooMany(perPerson: number): Result<never> {
  const message = `You already have ${perPerson} uploads running, which is the most at a time. Wait until one has finished, then send this one again.`;
  return { ok: false, problem: { ...fail('rate_limited', message).problem, retryAfterSeconds: RETRY_AFTER_SECONDS } };
}

function tooLarge(limitBytes: number): Result<never> {
  return fail('too_large', `The body is larger than ${limitBytes / 1_000_000} MB, the maximum of this route.`);
}

/** Members of one object: to build one of hundreds of thousands takes seconds, and no route takes as many as this. */
const MOST_MEMBERS = 10_000;

/** A text as JSON, or the place where it is none. */
function parseJson(text: string): Result<unknown> {
  if (hasObjectBeyond(MOST_MEMBERS, text))
    return fail('invalid', 'The body has an object with more than 10,000 members, which is the most it may have.');
  try {
    const value: unknown = JSON.parse(text);
    return succeed(value);
  } catch {
    if (text.trim() === '') return fail('invalid', 'The body is empty. It must be JSON.');
    const error = findJsonError(text);
    const place = error === null ? '' : `: unexpected ${error.found} at line ${error.line}, column ${error.column}`;
    return fail('invalid', `The body is not JSON${place}.`);
  }
}

/** Whether an object of a JSON text has more members than `most`. Reads the text once, and builds nothing of it. */
function hasObjectBeyond(most: number, text: string): boolean {
  const counts: number[] = [];
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case ':':
        count += 1;
        if (count > most) return true;
        break;
      case '{':
        counts.push(count);
        count = 0;
        break;
      case '}':
        count = counts.pop() ?? 0;
        break;
    }
  }
  return false;
}

/** Where the string that begins at `start` has its last quotation mark; the end of a text in which it has none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}

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
async function spoolBody(pieces: AsyncIterable<Result<Uint8Array>>): Promise<Result<SpooledBody>> {
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
function inStoringTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  globalThis.honeStoring ??= openTurns();
  return inTurn(globalThis.honeStoring, MOST_STORING, work);
}
