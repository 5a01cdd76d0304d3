import http from 'node:http';
import https from 'node:https';
import { type AddressRules, guardedLookup, RefusedAddressError, type Resolve, urlProblem } from './outgoing-address.ts';

/** `maxBytes`: a longer body breaks off with an AnswerTooLargeError where it is read. */
export type GuardedFetchOptions = { rules: AddressRules; maxBytes: number; resolve?: Resolve | undefined };

/** A body was longer than is read. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

type Init = Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>;

/**
 * A `fetch` whose address is checked as it is connected to: throws a RefusedAddressError for one that must not be. No redirect is
 * followed, no connection kept, no cookie sent; the body, if any, is a text.
 */
export function guardedFetch({ rules, maxBytes, resolve }: GuardedFetchOptions) {
  return async (address: string | URL, init: Init = {}): Promise<Response> => {
    const problem = urlProblem(String(address), rules);
    if (problem !== null) throw new RefusedAddressError(problem);
    const body = init.body ?? null;
    if (body !== null && typeof body !== 'string') throw new Error('the body of a guarded request must be a text');
    const url = new URL(address);
    const response = await new Promise<http.IncomingMessage>((settle, refuse) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: init.method ?? 'GET',
        agent: false,
        headers: Object.fromEntries(new Headers(init.headers)),
        lookup: guardedLookup(url, rules, resolve),
        ...(init.signal ? { signal: init.signal } : {}),
      });
      request.on('error', (error) => refuse(causeOf(error)));
      request.on('response', settle);
      request.end(body ?? undefined);
    });
    return toResponse(response, maxBytes);
  };
}

function toResponse(message: http.IncomingMessage, maxBytes: number): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  if (HAS_NO_BODY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(bounded(message, maxBytes), { status, headers });
}

const HAS_NO_BODY = new Set([204, 205, 304]);

function bounded(message: http.IncomingMessage, maxBytes: number): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = message[Symbol.asyncIterator]();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done) return controller.close();
        bytes += value.length;
        if (bytes <= maxBytes) return controller.enqueue(value);
        const size = (maxBytes / 1_000_000).toLocaleString('en-US');
        controller.error(new AnswerTooLargeError(`the answer is larger than ${size} MB`));
        message.destroy();
      },
      cancel: () => void message.destroy(),
    },
    { highWaterMark: 0 },
  );
}

/** With several addresses to try, Node puts one error for each into an AggregateError without a message. */
function causeOf(error: Error): Error {
  const causes = error instanceof AggregateError ? error.errors.filter((cause) => cause instanceof Error) : [error];
  const refused = causes.find((cause) => cause instanceof RefusedAddressError);
  return refused ?? (error.message === '' ? new Error(causes.map(({ message }) => message).join('; ')) : error);
}
