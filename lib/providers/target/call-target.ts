import { createHash, randomUUID } from 'node:crypto';
import { APICallError } from '@ai-sdk/provider';
import { parseJsonEventStream } from '@ai-sdk/provider-utils';
import { uiMessageChunkSchema } from 'ai';
import { z } from 'zod';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { withLength } from '#lib/core/setting-parts.ts';
import { responseText, type TargetResponse, targetResponseSchema } from '#lib/core/targets/target-response.ts';
import { traceProblem } from '#lib/core/trace.ts';
import { signBody } from '#lib/outgoing/sign-body.ts';
import type { RawResponse } from '#lib/providers/call/attempt-once.ts';
import type { CallOrigin } from '#lib/providers/call/model-caller.ts';
import { redactSecrets, storableText } from '#lib/providers/call/redact-secrets.ts';
import { StreamCutError } from '#lib/providers/call/request-once.ts';
import { DEFAULT_TIMEOUT_SECONDS, type ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { type TargetAnswer, type TargetCall, TargetError, type TargetJobs } from './target-call.ts';
import { createStreamTrace, redactTrace } from './trace.ts';

type Options = {
  configuration: ProviderConfiguration;
  request: ModelRequest;
  /** Step of the run that makes the call. Null for a test. */
  origin: CallOrigin | null;
  jobs: TargetJobs;
  /** Base URL of Hone, without a trailing slash. */
  address: string;
  fetch: typeof globalThis.fetch;
  now: () => Date;
};

type AttemptOptions = { signal: AbortSignal; onText: ((piece: string) => void) | null; onPiece: () => void };

/** Requests one output from a target, by HTTP or as a job for its workers. Throws a `TargetError` or a network error. */
export async function callTarget(options: Options, attemptOptions: AttemptOptions): Promise<RawResponse> {
  const { origin, jobs } = options;
  const call = callOf(options);
  try {
    return await requestResponse(options, call, attemptOptions);
  } finally {
    // The response to a test is needed only once.
    if (origin === null) await jobs.deleteJob(call.id);
  }
}

async function requestResponse(
  options: Options,
  call: TargetCall,
  { signal, onText, onPiece }: AttemptOptions,
): Promise<RawResponse> {
  const { configuration, jobs, origin, now } = options;
  const job = (state: 'waiting' | 'held') => ({ call, step: origin?.step ?? null, state });
  const later = async (state: 'waiting' | 'held') => responseOf(options, call.id, await jobs.await(job(state), signal));
  const known = await jobs.find(call.id, signal);
  if (known !== undefined && 'answer' in known) return responseOf(options, call.id, known.answer);
  if (configuration.baseUrl === null) return later('waiting');
  // The app accepted the call before Hone was restarted. After the timeout the call is considered lost and sent again.
  const timeoutMs = (configuration.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
  if (known !== undefined && now().getTime() - known.waitingSince.getTime() < timeoutMs) return later('held');
  const response = await post(options, call, signal);
  if (response.status === 202) {
    await response.body?.cancel();
    return later('held');
  }
  if (!response.ok) throw await statusError(configuration, response);
  return rawResponse(await readResponse(configuration, response, { onText, onPiece }));
}

/** The id of a call is the same in all tries, even after a restart, so an app can recognize a repeated call. */
function callOf({ configuration, request, origin, address }: Options): TargetCall {
  const id =
    origin === null
      ? idOfTest(request)
      : idOf([configuration.name, origin.runId, origin.step, request.ordinal, request.prompt]);
  const name = encodeURIComponent(configuration.name);
  return {
    ...JSON.parse(request.prompt),
    id,
    target: configuration.name,
    run: origin === null ? null : { id: origin.runId },
    callbackUrl: configuration.baseUrl === null ? null : `${address}/api/v1/targets/${name}/jobs/${id}/result`,
  };
}

const idsOfTests = new WeakMap<ModelRequest, string>();

/** Returns a random id per test, shared by all attempts of the test. */
function idOfTest(request: ModelRequest): string {
  const id = idsOfTests.get(request) ?? randomUUID();
  idsOfTests.set(request, id);
  return id;
}

/** Returns a UUID (version 8) from the SHA-256 of a value. */
function idOf(value: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(value)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function post({ configuration, fetch, now }: Options, call: TargetCall, signal: AbortSignal): Promise<Response> {
  const body = JSON.stringify(call);
  const timestamp = String(Math.floor(now().getTime() / 1000));
  const { apiKey, baseUrl } = configuration;
  return fetch(baseUrl ?? '', {
    method: 'POST',
    signal,
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream, text/plain',
      'idempotency-key': call.id,
      'hone-delivery': call.id,
      'hone-timestamp': timestamp,
      ...(apiKey !== null && { 'hone-signature': signBody(apiKey, timestamp, body) }),
    },
  });
}

async function statusError({ baseUrl }: ProviderConfiguration, response: Response): Promise<APICallError> {
  const responseBody = await response.text();
  const location = response.status < 400 ? response.headers.get('location') : null;
  return new APICallError({
    message: location === null ? response.statusText : `It redirects to ${location}. Set the URL after the redirect.`,
    url: baseUrl ?? '',
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
  });
}

/** Parses JSON, plain text, or a stream of the AI SDK. */
async function readResponse(
  configuration: ProviderConfiguration,
  response: Response,
  options: Omit<AttemptOptions, 'signal'>,
): Promise<TargetResponse> {
  const type = response.headers.get('content-type')?.split(';', 1).join('').trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return checked(configuration, await readEvents(configuration, response, options));
  if (response.headers.has('x-vercel-ai-data-stream')) {
    await response.body?.cancel();
    throw createInvalidResponseError(
      configuration,
      'it is a stream of AI SDK 4. Update the AI SDK, or answer with toTextStreamResponse()',
    );
  }
  if (type === 'text/plain') return checked(configuration, { output: await readText(response, options) });
  const text = await response.text();
  try {
    return checked(configuration, JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw createInvalidResponseError(configuration, `it is no JSON (content type: ${type === '' ? 'none' : type})`);
  }
}

async function readText(response: Response, { onText, onPiece }: Omit<AttemptOptions, 'signal'>): Promise<string> {
  if (response.body === null) return '';
  const pieces: string[] = [];
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    onPiece();
    onText?.(piece);
    pieces.push(piece);
  }
  return pieces.join('');
}

/** Source: the UI message stream protocol of the AI SDK. A part `data-hone` carries the other fields of a response. */
async function readEvents(
  configuration: ProviderConfiguration,
  response: Response,
  { onText, onPiece }: Omit<AttemptOptions, 'signal'>,
): Promise<unknown> {
  if (response.body === null) return {};
  const stream = createStreamTrace();
  let body: Record<string, unknown> = {};
  let isWhole = false;
  const events = parseJsonEventStream({ stream: response.body, schema: uiMessageChunkSchema });
  for await (const event of events) {
    onPiece();
    if (!event.success)
      throw createInvalidResponseError(
        configuration,
        `an event of its stream is not one of the AI SDK: ${event.error.message.split('\n', 1)[0]?.slice(0, 200)}`,
      );
    const part = event.value;
    if (part.type === 'text-delta') onText?.(part.delta);
    if (part.type === 'error') throw failed(configuration, part.errorText, true);
    else if (part.type === 'data-hone') body = { ...body, ...dataSchema.parse(part.data) };
    else if (part.type === 'abort') break;
    else if (part.type === 'finish') isWhole = true;
    else stream.add(part);
  }
  if (!isWhole) throw new StreamCutError();
  const { output, trace } = stream.finish();
  return { output, ...(trace.length > 0 && { trace }), ...body };
}

const dataSchema = z.record(z.string(), z.unknown());

async function responseOf(
  { configuration, jobs }: Options,
  id: string,
  { error, ...answer }: TargetAnswer,
): Promise<RawResponse> {
  try {
    if (error === undefined || error === null) return rawResponse(checked(configuration, answer));
    throw failed(configuration, error.message, false);
  } catch (problem) {
    // Lets a resumed run call the target again.
    await jobs.deleteJob(id);
    throw problem;
  }
}

function checked(configuration: ProviderConfiguration, answer: unknown): TargetResponse {
  const read = targetResponseSchema.safeParse(answer, { reportInput: true });
  if (!read.success) {
    const problems = read.error.issues.map((issue) => `${issue.path.join('.') || 'the answer'} ${withLength(issue)}`);
    throw createInvalidResponseError(configuration, problems.slice(0, 5).join('; '));
  }
  const { output, feedback, trace } = read.data;
  const problem = traceProblem(trace);
  if (problem !== null) throw createInvalidResponseError(configuration, `trace ${problem}`);
  return {
    ...read.data,
    output: storableText(output),
    ...(typeof feedback === 'string' && { feedback: storableText(feedback) }),
    ...(trace !== undefined && { trace: redactTrace(trace, configuration.apiKey) }),
  };
}

function createInvalidResponseError({ name }: ProviderConfiguration, why: string): TargetError {
  return new TargetError({
    kind: 'malformed',
    message: `The response of the target "${name}" cannot be used: ${why}.`,
    remedy: 'Change the app so that it responds with { "output": "…" }, then resume the run.',
    again: false,
  });
}

function failed({ name, apiKey }: ProviderConfiguration, message: string, again: boolean): TargetError {
  const text = redactSecrets(message, apiKey).replace(/\s+/g, ' ').trim().slice(0, 300);
  return new TargetError({
    kind: 'unavailable',
    message: `The target "${name}" reported an error: ${text}`,
    remedy: 'Look at the log of the app, fix it, then resume the run.',
    again,
  });
}

function rawResponse(response: TargetResponse): RawResponse {
  const { usage } = response;
  const input = usage?.inputTokens ?? 0;
  const output = usage?.outputTokens ?? 0;
  return {
    text: responseText(response),
    finishReason: 'stop',
    tokenUsage: { input, output, total: input + output, cached: 0 },
    costUsd: usage?.costUsd ?? null,
    warnings: [],
  };
}
