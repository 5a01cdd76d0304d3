import http from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import zlib from 'node:zlib';
import { type AddressRules, guardedLookup, RefusedAddressError, type Resolve, urlProblem } from './outgoing-address.ts';

/**
 * Options of a guarded fetch. Reading a body longer than `maxBytes` fails with an AnswerTooLargeError. `keepsConnections` reuses a checked
 * connection for the same host. `unpacks` decompresses the body, and `maxBytes` then applies to the decompressed size.
 */
export type GuardedFetchOptions = {
  rules: AddressRules;
  maxBytes: number;
  resolve?: Resolve | undefined;
  keepsConnections?: boolean;
  unpacks?: boolean;
};

/** Error for a body that exceeds the maximum size. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * Creates a `fetch` that checks the address on connect and throws a RefusedAddressError for a forbidden one. It follows no redirects and
 * sends no cookies. A request body must be a text.
 */
export function guardedFetch(options: GuardedFetchOptions) {
  const { rules, resolve, keepsConnections = false } = options;
  return async (
    address: string | URL | Request,
    init: RequestInit = {},
    /** Called when the whole request has been sent. */
    onSent?: () => void,
  ): Promise<Response> => {
    if (address instanceof Request)
      throw new Error('a guarded request needs its URL and its options as separate arguments');
    const problem = urlProblem(String(address), rules);
    if (problem !== null) throw new RefusedAddressError(problem);
    const body = init.body ?? null;
    if (body !== null && typeof body !== 'string') throw new Error('the body of a guarded request must be a text');
    const url = new URL(address);
    const signal = init.signal ?? null;
    signal?.throwIfAborted();
    const isSecure = url.protocol === 'https:';
    const response = await new Promise<http.IncomingMessage>((settle, refuse) => {
      const request = (isSecure ? https : http).request(url, {
        method: init.method ?? 'GET',
        agent: keepsConnections ? agentsOf(rules)[isSecure ? 'https' : 'http'] : false,
        headers: Object.fromEntries(new Headers(init.headers)),
        lookup: guardedLookup(url, rules, resolve),
        ...(signal === null ? {} : { signal }),
      });
      request.on('error', (error) => refuse(signal?.aborted ? signal.reason : causeOf(error)));
      request.on('response', settle);
      // A server that switches protocols (status 101) ends the request without a response, and without an error.
      request.on('close', () => refuse(signal?.aborted ? signal.reason : noResponse()));
      if (onSent !== undefined) request.on('finish', onSent);
      request.end(body ?? undefined);
    });
    return toResponse(response, options, signal);
  };
}

function noResponse(): Error {
  return Object.assign(new Error('the connection was closed without a response'), { code: 'ECONNRESET' });
}

/** Agents by the rules their connections were checked against. Connections of other rules must not be reused. */
const agents = new WeakMap<AddressRules, { http: http.Agent; https: https.Agent }>();
/** Maximum idle time of a connection, in milliseconds. Shorter than common server timeouts. */
const KEPT_MS = 4_000;

function agentsOf(rules: AddressRules) {
  const cached = agents.get(rules);
  if (cached !== undefined) return cached;
  const settings = { keepAlive: true, timeout: KEPT_MS };
  const made = { http: new http.Agent(settings), https: new https.Agent(settings) };
  agents.set(rules, made);
  return made;
}

function toResponse(message: http.IncomingMessage, options: GuardedFetchOptions, signal: AbortSignal | null): Response {
  const status = message.statusCode ?? 0;
  // A Response cannot have any other status.
  if (status < 200 || status > 599) {
    message.destroy();
    throw new Error(`it responded with the invalid status ${status}`);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const answer = { status, statusText: message.statusMessage?.replaceAll(NOT_IN_A_LINE, '') ?? '', headers };
  if (HAS_NO_BODY.has(status)) {
    message.resume();
    return new Response(null, answer);
  }
  const unpacker = options.unpacks ? unpackerOf(headers.get('content-encoding')) : null;
  if (unpacker === null) return new Response(bounded(message, options.maxBytes, signal), answer);
  headers.delete('content-encoding');
  headers.delete('content-length');
  // Errors of either stream are thrown when the body is read.
  pipeline(message, unpacker, () => undefined);
  return new Response(bounded(unpacker, options.maxBytes, signal), answer);
}

const HAS_NO_BODY = new Set([204, 205, 304]);
/** Characters that a Response does not accept in its status line. */
const NOT_IN_A_LINE = /[^\t\x20-\x7e\x80-\xff]/g;

function unpackerOf(coding: string | null) {
  switch (coding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH });
    case 'deflate':
      return zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH });
    case 'br':
      return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH });
    default:
      return null;
  }
}

function bounded(message: Readable, maxBytes: number, signal: AbortSignal | null): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = message[Symbol.asyncIterator]();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await chunks.next().catch((error: unknown) => {
          throw signal?.aborted ? signal.reason : error;
        });
        if (next.done) return controller.close();
        bytes += next.value.length;
        if (bytes <= maxBytes) return controller.enqueue(next.value);
        const size = (maxBytes / 1_000_000).toLocaleString('en-US');
        controller.error(new AnswerTooLargeError(`the response is larger than ${size} MB`));
        message.destroy();
      },
      cancel: () => void message.destroy(),
    },
    { highWaterMark: 0 },
  );
}

/** If several addresses fail, Node throws an AggregateError without a message that contains one error per address. */
function causeOf(error: Error): Error {
  const causes = error instanceof AggregateError ? error.errors.filter((cause) => cause instanceof Error) : [error];
  const refused = causes.find((cause) => cause instanceof RefusedAddressError);
  if (refused !== undefined || error.message !== '') return refused ?? error;
  const code = 'code' in error ? { code: error.code } : {};
  return Object.assign(new Error(causes.map(({ message }) => message).join('; ')), code);
}

/**
 * Returns the retry delay requested by a provider, in milliseconds from `nowMs`. Reads `retry-after-ms`, or else `Retry-After` in seconds
 * or as an HTTP date. Returns null if neither is readable, and 0 for a past date.
 */
export function retryAfterMs(headers: Record<string, string> | undefined, nowMs: number): number | null {
  const milliseconds = headers?.['retry-after-ms']?.trim() ?? '';
  if (isDecimal(milliseconds)) return Number(milliseconds);
  const retryAfter = headers?.['retry-after']?.trim() ?? '';
  if (isDecimal(retryAfter)) return Number(retryAfter) * 1000;
  const date = /[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function isDecimal(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}
