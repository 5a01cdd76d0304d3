import type { FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findJsonError } from '#lib/formats/json-errors.ts';
import { type BodyPace, readAtPace, UPLOAD_LIMITS, type UploadLimits } from '#lib/http/uploads/read-at-pace.ts';
import { inTurn, openTurns, type Turns, takeSlot } from '#lib/system/concurrency.ts';
import { openScratchFile } from '#lib/system/open-scratch-file.ts';

/** Next truncates bodies at 10 MB behind proxy.ts, so larger ones must be rejected before that. */
const JSON_LIMIT_BYTES = 8_000_000;

/**
 * Reads the JSON body of a request. The use case validates and cleans it. Other types: 415. Too large: 413. Invalid JSON: 400, with the
 * position.
 */
export async function readJson(request: Request): Promise<Result<unknown>> {
  const type = mediaType(request);
  if (type !== 'application/json') return unsupportedType(type, ['application/json']);
  const text = await readText(request, JSON_LIMIT_BYTES);
  return text.ok ? parseBody(text.value) : text;
}

/** Reads the optional JSON body of a request. An empty body counts as `{}`. Otherwise like `readJson`. */
export async function readOptionalJson(request: Request): Promise<Result<unknown>> {
  const text = await readText(request, JSON_LIMIT_BYTES);
  if (!text.ok) return text;
  if (text.value.trim() === '') return succeed({});
  const type = mediaType(request);
  return type === 'application/json' ? parseBody(text.value) : unsupportedType(type, ['application/json']);
}

/**
 * For routes without a body: returns null if none was sent, or `{}`. Otherwise returns an error, so that no client believes its body was
 * used.
 */
export async function refuseBody(request: Request): Promise<Result<never> | null> {
  const text = await readText(request, JSON_LIMIT_BYTES);
  if (!text.ok) return text;
  if (/^\s*(\{\s*\}\s*)?$/.test(text.value)) return null;
  return fail('invalid', 'This route takes no body. Send none, or {}.');
}

/** Returns the media type in lower case without parameters such as charset. Empty if there is none. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
}

export function unsupportedType(type: string, supported: string[]): Result<never> {
  return fail(
    'unsupported_type',
    `The content type must be ${supported.join(' or ')}, not ${type === '' ? 'missing' : type}.`,
  );
}

/**
 * Number of bytes beyond a limit that are read and discarded. A client that is still sending when the connection closes would not receive
 * the response.
 */
const DRAIN_BYTES = 16_000_000;
/** Draining stops after this idle time, because a client may announce a large body and send nothing. */
const DRAIN_IDLE_MS = 500;
const DRAIN_MS = 10_000;
/** Most uploads finish within this time. */
const RETRY_AFTER_SECONDS = 5;

/** Reads the body as UTF-8 text without a byte order mark, with the limits of `readBytes`. */
export async function readText(request: Request, limitBytes: number): Promise<Result<string>> {
  const bytes = await readBytes(request, limitBytes);
  return bytes.ok ? succeed(new TextDecoder().decode(bytes.value)) : bytes;
}

/** Reads the raw body, at most `limitBytes` regardless of Content-Length. Aborts a body that is too slow. */
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

/** Rules of an upload: its sender, the maximum size, and the limits for speed and concurrency. */
type UploadRules = { actor: Pick<Actor, 'id' | 'memberId'>; limitBytes: number; limits?: UploadLimits };

/**
 * Receives a whole body into a temporary file before it calls `take`. `take` thus never holds a resource, such as a database connection,
 * while waiting for a client. The body is never completely in memory, and its file is deleted after `take`. `limits` restrict how slow a
 * body may be (408) and how many uploads a person may send at once (429).
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

/** Streams the chunks of a body. Ends with a problem if it exceeds `limitBytes`, is too slow or is interrupted. */
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

/** Rejects a body that is compressed or whose announced size is too large. */
async function refuseUnread(request: Request, limitBytes: number): Promise<Result<never> | null> {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity')
    return fail('unsupported_type', `The body must be sent as it is, not with content encoding ${encoding}.`);
  if (Number(request.headers.get('content-length') ?? 0) <= limitBytes) return null;
  if (request.body !== null) await drain(request.body.getReader(), limitBytes + DRAIN_BYTES);
  return tooLarge(limitBytes);
}

/** Discards the incoming data until it ends, pauses, takes too long, or exceeds `limitBytes`. */
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

/**
 * Maximum number of members per object. Building an object with hundreds of thousands of members takes seconds, and no route needs that
 * many.
 */
const MAX_OBJECT_MEMBERS = 10_000;

/** Parses JSON, or returns the position of the error. */
function parseBody(text: string): Result<unknown> {
  if (hasObjectBeyond(MAX_OBJECT_MEMBERS, text))
    return fail('invalid', 'The body has an object with more than 10,000 members, which is the most it may have.');
  const value = parseJson(text);
  if (value !== undefined) return succeed(value);
  if (text.trim() === '') return fail('invalid', 'The body is empty. It must be JSON.');
  const error = findJsonError(text);
  const detail = error === null ? '' : `: unexpected ${error.found} at line ${error.line}, column ${error.column}`;
  return fail('invalid', `The body is not JSON${detail}.`);
}

/** Returns true if an object in a JSON text has more than `most` members. Scans the text once without building values. */
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

/** Returns the position of the closing quote of the string that begins at `start`, or the end of the text if it is missing. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}

type SpooledBody = {
  /** Streams the bytes from the start on each call. Throws between two chunks after `signal` is aborted. */
  bytes(signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>;
  /** Deletes the body from disk. */
  close(): Promise<void>;
};

/** Small enough to serve other requests soon while short lines are read. */
const CHUNK_BYTES = 64_000;

/**
 * Writes a body to a temporary file with one chunk in memory, however small the pieces are. Stops at the first problem, including a full
 * disk (`unavailable`), and then deletes the file.
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

/** Returns the number of bytes written, or the first problem. */
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

/** Repeats partial writes, which occur on a nearly full disk. */
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
        // Allocates a new buffer each time, because the reader may keep a chunk.
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
  // Each route has its own module instances. Only `globalThis` is shared.
  var honeStoring: Turns | undefined;
}

/** Maximum number of uploads processed concurrently per process, so that database connections remain for other requests. */
const MAX_CONCURRENT_STORING = 4;

/** Processes a complete upload when a slot is free. */
function inStoringTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  globalThis.honeStoring ??= openTurns();
  return inTurn(globalThis.honeStoring, MAX_CONCURRENT_STORING, work);
}
