import { HoneError } from './errors.ts';
import { environment, pause } from './runtime.ts';

export type HoneOptions = {
  /** Base URL of Hone. Default: `HONE_URL`, otherwise `http://127.0.0.1:3000`. */
  url?: string;
  /** API token. Default: `HONE_API_TOKEN`. In local mode, requests from the same machine need none. */
  token?: string;
  /** Request timeout in seconds. Default: 300. */
  timeoutSeconds?: number;
  /** Maximum number of retries of a request that is safe to repeat. Default: 2. */
  retries?: number;
  fetch?: typeof fetch;
};

/** Options of one request. */
export type CallOptions = {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  timeoutSeconds?: number;
  retries?: number;
};

/** A body that is not JSON: a file and its content type. */
export type FileBody<Type extends string = string> = { type: Type; content: string | Blob | Bytes };

/** Bytes outside of shared memory. Before TypeScript 5.7, `Uint8Array` has no type parameter. */
type Bytes = Uint8Array & { buffer: ArrayBuffer };

/** An event of a stream. `data` is parsed JSON. */
export type ServerEvent = { id: string | null; event: string; data: unknown };

type Call = {
  method: string;
  path: string;
  body?: unknown;
  query?: Record<string, unknown>;
  options?: CallOptions | undefined;
};

const REPEATABLE = ['GET', 'PUT', 'DELETE'];
const LONGEST_RETRY_AFTER_SECONDS = 60;
/** Statuses without a result: no response, Hone is busy, or a proxy cannot reach it. */
const UNANSWERED = [0, 502, 503, 504];
/** Longest duration of a timer of JavaScript. A longer one ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Sends requests to Hone. Throws a HoneError for any unsuccessful response. */
export class Http {
  readonly url: string;
  readonly #options: HoneOptions;

  constructor(options: HoneOptions) {
    const url = options.url || environment('HONE_URL') || 'http://127.0.0.1:3000';
    this.url = url.trim().replace(/\/+$/, '');
    this.#options = options;
  }

  json<Answer>(call: Call): Promise<Answer> {
    return this.#send(call, 'application/json', async (response) => {
      const text = await response.text();
      try {
        return JSON.parse(text) as Answer;
      } catch (error) {
        throw malformed(response, error);
      }
    });
  }

  async *lines<Line>(call: Call): AsyncGenerator<Line> {
    const response = await this.#send(call, 'application/x-ndjson', unread);
    for await (const line of this.#linesOf(response, call)) if (line !== '') yield JSON.parse(line) as Line;
  }

  /** Yields server-sent events until the stream ends. */
  async *events(call: Call): AsyncGenerator<ServerEvent> {
    const response = await this.#send(call, 'text/event-stream', unread);
    let fields: Record<string, string> = {};
    for await (const line of this.#linesOf(response, call)) {
      if (line === '' && fields.data !== undefined)
        yield { id: fields.id ?? null, event: fields.event ?? 'message', data: JSON.parse(fields.data) };
      if (line === '') fields = {};
      const [, name, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
      if (name !== undefined) fields[name] = name === 'data' && fields.data ? `${fields.data}\n${value}` : value;
    }
  }

  /** Returns the raw response. Read it with `text()`, or as a stream from `body`. */
  file(call: Call): Promise<Response> {
    return this.#send(call, '*/*', unread);
  }

  async *#linesOf(response: Response, call: Call): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    let rest = '';
    try {
      for (;;) {
        const read = await reader?.read().catch((error: unknown) => this.#interrupt(call, error));
        const { done, value } = read ?? { done: true, value: undefined };
        const lines = (rest + decoder.decode(value, { stream: !done })).split(/\r?\n/);
        rest = lines.pop() ?? '';
        yield* lines;
        if (done) break;
      }
      if (rest !== '') yield rest;
    } finally {
      // A stream that failed rejects again.
      await reader?.cancel().catch(() => {});
    }
  }

  /** Throws for a response that ended early: the reason of the caller's signal, or a temporary error. */
  #interrupt({ options }: Call, cause: unknown): never {
    options?.signal?.throwIfAborted();
    throw interrupted(this.url, cause);
  }

  /**
   * Returns what `read` reads from the response. Retries after 429, 502, 503, 504 and connection failures. A request that may already have
   * changed data is retried only after 429, or if it has an Idempotency-Key.
   */
  async #send<Content>(call: Call, accept: string, read: Read<Content>): Promise<Content> {
    const request = this.#request(call, accept);
    const retries = call.options?.retries ?? this.#options.retries ?? 2;
    const isRepeatable = REPEATABLE.includes(call.method) || 'idempotency-key' in lowerKeys(call.options?.headers);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#sendOnce(request, call, read);
      } catch (error) {
        if (!(error instanceof HoneError) || attempt >= retries) throw error;
        const { status, retryAfterSeconds } = error;
        const isRetried = status === 429 || (isRepeatable && UNANSWERED.includes(status));
        // Hone sends a short Retry-After for as long as it starts.
        const seconds = Math.max(retryAfterSeconds ?? 0, backOffSeconds(attempt));
        if (!isRetried || seconds > LONGEST_RETRY_AFTER_SECONDS) throw error;
        await pause(seconds, call.options?.signal);
      }
    }
  }

  #request({ method, path, body, query = {}, options = {} }: Call, accept: string): Prepared {
    const token = this.#options.token?.trim() || environment('HONE_API_TOKEN')?.trim();
    checkRequest(this.url, token, path);
    const url = new URL(`${this.url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    const isFile = isFileBody(body);
    const headers = {
      accept,
      ...(body === undefined ? {} : { 'content-type': isFile ? body.type : 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...lowerKeys(options.headers),
    };
    const content = body === undefined ? null : isFile ? body.content : JSON.stringify(body);
    // A followed redirect would drop the token, and the body of a POST request.
    return [url, { method, headers, body: content, redirect: 'manual' }];
  }

  async #sendOnce<Content>([url, request]: Prepared, { options = {} }: Call, read: Read<Content>): Promise<Content> {
    const seconds = options.timeoutSeconds ?? this.#options.timeoutSeconds ?? 300;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), Math.min(seconds * 1000, LONGEST_TIMER_MS));
    const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
    let isResponding = false;
    try {
      const response = await (this.#options.fetch ?? fetch)(url, { ...request, signal });
      isResponding = true;
      if (!response.ok) throw await errorOf(response);
      return await read(response);
    } catch (error) {
      if (error instanceof HoneError) throw error;
      options.signal?.throwIfAborted();
      if (timeout.signal.aborted) throw timedOut(this.url, seconds);
      throw isResponding ? interrupted(this.url, error) : unreachable(this.url, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

type Prepared = [URL, RequestInit];

/** Reads a successful response before the request times out. */
type Read<Content> = (response: Response) => Promise<Content>;

const unread: Read<Response> = async (response) => response;

/** Throws for a request that cannot be sent. */
function checkRequest(url: string, token: string | undefined, path: string): void {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw invalid(`The URL of Hone is ${JSON.stringify(url)}, but must begin with http:// or https://.`);
  if (token !== undefined && !/^[\x21-\x7e]*$/.test(token))
    throw invalid('HONE_API_TOKEN has characters that no API token has. Copy the whole token again.');
  // Such a path would be the path of another operation.
  if (/\/\.{0,2}(\/|$)/.test(path)) throw invalid(`An ID or a name in ${path} is empty, "." or "..".`);
}

function invalid(message: string): HoneError {
  return new HoneError({ status: 0, code: 'invalid', message });
}

/** Returns the delay before a retry: half a second, doubled each time, up to 30 seconds, with jitter. */
export function backOffSeconds(attempt: number): number {
  return Math.min(30, 0.5 * 2 ** attempt) * (0.75 + Math.random() / 2);
}

function isFileBody(body: unknown): body is FileBody {
  return typeof body === 'object' && body !== null && 'type' in body && 'content' in body;
}

function lowerKeys(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function errorOf(response: Response): Promise<HoneError> {
  const { status } = response;
  const error = readError(await response.text());
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  const location = response.headers.get('location');
  const foreign =
    location === null
      ? `The server returned ${status} without an error of Hone.`
      : `The server redirects to ${location}.`;
  return new HoneError({
    status,
    code: error?.code ?? 'malformed',
    message: error?.message ?? foreign,
    field: error?.field ?? null,
    remedy: remedyOf(status, error !== null),
    retryAfterSeconds: after >= 0 ? after : null,
  });
}

function readError(text: string): { code: string; message: string; field?: string } | null {
  try {
    const { error } = JSON.parse(text);
    return typeof error.message === 'string' ? error : null;
  } catch {
    return null;
  }
}

function remedyOf(status: number, isFromHone: boolean): string | null {
  if (!isFromHone) return 'Check that HONE_URL is the address of Hone.';
  return status === 401 ? 'Set HONE_API_TOKEN to a token from Your account in Hone.' : null;
}

function malformed({ status }: Response, cause: unknown): HoneError {
  const message = 'The server did not respond with JSON.';
  return new HoneError({ status, code: 'malformed', message, remedy: remedyOf(status, false) }, cause);
}

function unreachable(url: string, cause?: unknown): HoneError {
  const remedy = 'Start Hone, or set HONE_URL to its address.';
  return new HoneError({ status: 0, code: 'unreachable', message: `Hone does not respond at ${url}.`, remedy }, cause);
}

function interrupted(url: string, cause: unknown): HoneError {
  const message = `The connection to Hone at ${url} ended before the end of the response.`;
  return new HoneError({ status: 0, code: 'interrupted', message, remedy: 'Try again.' }, cause);
}

function timedOut(url: string, seconds: number): HoneError {
  const message = `Hone at ${url} did not respond within ${seconds} s.`;
  return new HoneError({ status: 0, code: 'timeout', message, remedy: 'Try again, or set a longer timeoutSeconds.' });
}
