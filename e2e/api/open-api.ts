import { request as httpRequest } from 'node:http';
import type { z } from 'zod';
import { createdSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { runSchema } from '#lib/api/runs-schema.ts';

/** A response of the API. `body` is parsed JSON, or text if the response is not JSON. */
export type Answer = {
  status: number;
  body: unknown;
  text: string;
  headers: Record<string, string | string[] | undefined>;
};

export type CallOptions = { headers?: Record<string, string>; type?: string; chunked?: boolean };

type Read = <Schema extends z.ZodType>(
  shape: Schema,
  method: string,
  path: string,
  body?: unknown,
  options?: CallOptions,
) => Promise<z.infer<Schema>>;

export type Api = {
  address: string;
  /** Sends exactly the given headers, including Host, which browsers and fetch do not allow. Sends objects as JSON. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Calls the API. Throws unless the response has the expected status and matches the schema exactly. */
  read: Read;
  /** Creates an experiment on the practice model with one criterion. `settings` override the defaults. */
  createExperiment(settings?: Record<string, unknown>): Promise<string>;
  /** Starts one run and returns its id. */
  startRun(experimentId: string, input?: string): Promise<string>;
  /** Polls the run until it has one of the statuses. */
  waitForRun(runId: string, statuses: string[], limitMs?: number): Promise<z.infer<typeof runSchema>>;
};

/** Maximum delay between two requests of `waitForRun` in milliseconds. A request takes 10 ms of processor time. */
const MAX_DELAY_MS = 250;

/** Minimal valid settings. */
export const SMALL = {
  name: 'By API',
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'clarity', evaluator: 'llm', description: 'Clear to a newcomer' }],
};

/** `sent`: headers added to every call. Headers of a call override them. */
export function openApi(address: string, sent: Record<string, string> = {}): Api {
  const call: Api['call'] = (method, path, body, options = {}) =>
    send(address, method, path, body, { ...options, headers: { ...sent, ...options.headers } });
  const read: Api['read'] = async (shape, method, path, body, options) => {
    const answer = await call(method, path, body, options);
    const parsed = shape.safeParse(answer.body);
    if (answer.status >= 400 || !parsed.success)
      throw new Error(
        `${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 500)}\n${parsed.error ?? ''}`,
      );
    const unknown = JSON.stringify(sorted(parsed.data)) !== JSON.stringify(sorted(answer.body));
    if (unknown)
      throw new Error(`${method} ${path} answered more than its shape tells of: ${answer.text.slice(0, 500)}`);
    return parsed.data;
  };
  return {
    address,
    call,
    read,
    createExperiment: async (settings = {}) =>
      (await read(createdSchema, 'POST', '/api/v1/experiments', { ...SMALL, ...settings })).id,
    startRun: async (experimentId, input = 'Explain how a bicycle stays upright.') =>
      (await read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, { input })).runIds[0] ?? '',
    waitForRun: async (runId, statuses, limitMs = 20_000) => {
      const until = Date.now() + limitMs;
      for (let delayMs = 50; ; delayMs = Math.min(delayMs * 1.3, MAX_DELAY_MS)) {
        const run = await read(runSchema, 'GET', `/api/v1/runs/${runId}`);
        if (statuses.includes(run.status)) return run;
        if (Date.now() > until) throw new Error(`run ${runId} is still ${run.status}: ${JSON.stringify(run.failure)}`);
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    },
  };
}

function send(address: string, method: string, path: string, body: unknown, options: CallOptions): Promise<Answer> {
  const { hostname, port, host } = new URL(address);
  const content =
    body === undefined ? null : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const type: Record<string, string> = content === null ? {} : { 'content-type': options.type ?? 'application/json' };
  const length: Record<string, string> =
    content === null
      ? {}
      : options.chunked
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': String(Buffer.byteLength(content)) };
  const headers = { host, ...type, ...length, ...options.headers };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, setHost: false, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, text, body: readJson(text), headers: response.headers });
      });
    });
    request.on('error', reject);
    request.end(content);
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
