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
/** Statuses for requests that Hone has not processed. */
const BUSY = [429, 503];

/** Sends requests to Hone. Throws a HoneError for any unsuccessful response. */
export class Http {
  readonly url: string;
  readonly #options: HoneOptions;

  constructor(options: HoneOptions) {
    const url = options.url || environment('HONE_URL') || 'http://127.0.0.1:3000';
    this.url = url.replace(/\/+$/, '');
    this.#options = options;
  }

  async json<Answer>(call: Call): Promise<Answer> {
    const response = await this.#send(call, 'application/json');
    const text = await response.text().catch((error: unknown) => this.#interrupt(call, error));
    try {
      return JSON.parse(text) as Answer;
    } catch (error) {
      throw malformed(response, error);
    }
  }

  async *lines<Line>(call: Call): AsyncGenerator<Line> {
    const response = await this.#send(call, 'application/x-ndjson');
    for await (const line of this.#linesOf(response, call)) if (line !== '') yield JSON.parse(line) as Line;
  }

  /** Yields server-sent events until the stream ends. */
  async *events(call: Call): AsyncGenerator<ServerEvent> {
    const response = await this.#send(call, 'text/event-stream');
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
    return this.#send(call, '*/*');
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
    const message = `The connection to Hone at ${this.url} ended before the end of the response.`;
    throw new HoneError({ status: 0, code: 'interrupted', message, remedy: 'Try again.' }, cause);
  }

  /**
   * Retries after 429, 503 and connection failures. A request that may already have changed data is retried only after 429, or if it has an
   * Idempotency-Key.
   */
  async #send(call: Call, accept: string): Promise<Response> {
    if (!URL.canParse(this.url)) throw unreachable(this.url);
    const retries = call.options?.retries ?? this.#options.retries ?? 2;
    const isRepeatable = REPEATABLE.includes(call.method) || 'idempotency-key' in lowerKeys(call.options?.headers);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#sendOnce(call, accept);
      } catch (error) {
        if (!(error instanceof HoneError) || attempt >= retries) throw error;
        const { status, retryAfterSeconds } = error;
        const isRefused = status === 429;
        const isRetried = isRefused || (isRepeatable && (status === 0 || BUSY.includes(status)));
        const seconds = retryAfterSeconds ?? backOffSeconds(attempt);
        if (!isRetried || seconds > LONGEST_RETRY_AFTER_SECONDS) throw error;
        await pause(seconds, call.options?.signal);
      }
    }
  }

  async #sendOnce({ method, path, body, query = {}, options = {} }: Call, accept: string): Promise<Response> {
    const url = new URL(`${this.url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    const token = this.#options.token?.trim() || environment('HONE_API_TOKEN')?.trim();
    const isFile = isFileBody(body);
    const headers = {
      accept,
      ...(body === undefined ? {} : { 'content-type': isFile ? body.type : 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...lowerKeys(options.headers),
    };
    const seconds = options.timeoutSeconds ?? this.#options.timeoutSeconds ?? 300;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), seconds * 1000);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
    const content = body === undefined ? null : isFile ? body.content : JSON.stringify(body);
    let response: Response;
    try {
      response = await (this.#options.fetch ?? fetch)(url, { method, headers, body: content, signal });
    } catch (error) {
      options.signal?.throwIfAborted();
      throw timeout.signal.aborted ? timedOut(this.url, seconds) : unreachable(this.url, error);
    } finally {
      clearTimeout(timer);
    }
    if (response.ok) return response;
    throw await errorOf(response);
  }
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
  return new HoneError({
    status,
    code: error?.code ?? 'malformed',
    message: error?.message ?? `The server returned ${status} without an error of Hone.`,
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

function timedOut(url: string, seconds: number): HoneError {
  const message = `Hone at ${url} did not respond within ${seconds} s.`;
  return new HoneError({ status: 0, code: 'timeout', message, remedy: 'Try again, or set a longer timeoutSeconds.' });
}
