import { setTimeout as sleep } from 'node:timers/promises';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { findJsonError } from '#lib/runs/exchange/find-json-error.ts';

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
  return fail('invalid', 'This route takes no body, and what was sent would be ignored. Send none, or {}.');
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

/** The body as UTF-8 text, without a byte order mark; as `readBytes` reads it. */
export async function readText(request: Request, limitBytes: number): Promise<Result<string>> {
  const bytes = await readBytes(request, limitBytes);
  return bytes.ok ? succeed(new TextDecoder().decode(bytes.value)) : bytes;
}

/** The body as it came. Keeps no more than `limitBytes`, whatever Content-Length says. */
export async function readBytes(request: Request, limitBytes: number): Promise<Result<Uint8Array>> {
  const refusal = await refuseUnread(request, limitBytes);
  if (refusal !== null) return refusal;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > limitBytes + DRAIN_BYTES) break;
    if (length <= limitBytes) chunks.push(chunk);
  }
  if (length > limitBytes) return tooLarge(limitBytes);
  return succeed(Buffer.concat(chunks));
}

/**
 * Hands the body on piece by piece, so that it is never in memory as a whole; `take` sees that there is not too much of it. What it leaves
 * unread is thrown away before its answer is given.
 */
export async function streamBody<Value>(
  request: Request,
  limitBytes: number,
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const refusal = await refuseUnread(request, limitBytes);
  if (refusal !== null) return refusal;
  const reader = request.body?.getReader();
  async function* pieces() {
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) yield piece.value;
  }
  const taken = await take(pieces());
  if (reader !== undefined) await drain(reader, DRAIN_BYTES);
  return taken;
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

/** Throws away what is being sent, until it ends, pauses, or is more than `limitBytes`. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, limitBytes: number): Promise<void> {
  let length = 0;
  while (length <= limitBytes) {
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

function tooLarge(limitBytes: number): Result<never> {
  return fail('too_large', `The body is larger than ${limitBytes / 1_000_000} MB, which is the most this route takes.`);
}

function parseJson(text: string): Result<unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return succeed(value);
  } catch {
    if (text.trim() === '') return fail('invalid', 'The body is empty; it must be JSON.');
    const error = findJsonError(text);
    const place = error === null ? '' : `: unexpected ${error.found} at line ${error.line}, column ${error.column}`;
    return fail('invalid', `The body is not JSON${place}.`);
  }
}
