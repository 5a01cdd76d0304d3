import { APICallError, TypeValidationError } from '@ai-sdk/provider';
import { isProviderStreamError } from '@ai-sdk/provider-utils';
import { StreamProviderError } from 'ai';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { AnswerTooLargeError, retryAfterMs } from '#lib/outgoing/guarded-fetch.ts';
import { RefusedAddressError } from '#lib/outgoing/outgoing-address.ts';
import {
  MAX_STREAM_TIMEOUT_FACTOR,
  type ProviderConfiguration,
  serverLabel,
} from '#lib/providers/provider-configuration.ts';
import { TargetError } from '../target/target-call.ts';
import type { ModelFailure } from './model-caller.ts';
import { redactSecrets, secretsOf } from './redact-secrets.ts';

const MAX_MESSAGE_LENGTH = 5_000;

/**
 * Returns the error message of a provider. If the AI SDK could not parse the error, it has only the status line. Then the message is read
 * from the body: `error` as a text (xAI), `message` at the top (vLLM), or `detail` (FastAPI, Mistral).
 */
export function errorMessage(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error
      ? String(error.message)
      : typeof error === 'string'
        ? error
        : '';
  const body =
    APICallError.isInstance(error) && error.data === undefined
      ? parseJson(error.responseBody ?? '')
      : errorEventOf(error);
  return (messageIn(body) ?? message).slice(0, MAX_MESSAGE_LENGTH);
}

/** Returns the parameter name in a provider's error, as OpenAI sends it. Empty if there is none. */
export function namedParameter(error: unknown): string {
  if (!APICallError.isInstance(error)) return '';
  const body = parseJson(error.responseBody ?? '');
  const named = fieldOf(fieldOf(body, 'error'), 'param') ?? fieldOf(body, 'param');
  return typeof named === 'string' ? named.slice(0, 200) : '';
}

/**
 * Returns the delay before a retry that a provider requests, in milliseconds up to a year, or null. If it requests none, an exhausted rate
 * limit is awaited until its reset.
 */
export function requestedDelayMs(error: unknown, nowMs: number): number | null {
  if (!APICallError.isInstance(error)) return null;
  const headers = headersOf(error);
  const delayMs =
    explicitDelayMs(error, headers, nowMs) ?? (statusOf(error) === 429 ? untilResetMs(headers, nowMs) : null);
  return delayMs === null ? null : Math.min(delayMs, YEAR_MS);
}

const YEAR_MS = 365 * 86_400_000;

/** Returns the headers of a response by lowercase names. OpenRouter also has headers in the body. */
function headersOf({ responseBody, responseHeaders }: APICallError): Record<string, string> {
  const inBody = fieldOf(fieldOf(fieldOf(parseJson(responseBody ?? ''), 'error'), 'metadata'), 'headers');
  const named = Object.entries(isRecord(inBody) ? inBody : {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
  );
  return { ...Object.fromEntries(named), ...responseHeaders };
}

/** Reads Retry-After, else the body: the `retryDelay` of Google, or a text such as "try again in 1m2.5s" (OpenAI, Groq). */
function explicitDelayMs(error: APICallError, headers: Record<string, string>, nowMs: number): number | null {
  const inBody = DELAY_IN_BODY.exec(error.responseBody?.slice(0, MAX_MESSAGE_LENGTH) ?? '')?.[1];
  return retryAfterMs(headers, nowMs) ?? (inBody === undefined ? null : durationMs(inBody));
}

/** Returns the time until the exhausted limits in the headers are reset: a duration, seconds, or a time since 1970 in s or ms. */
function untilResetMs(headers: Record<string, string>, nowMs: number): number | null {
  const delays = ['', '-requests', '-tokens'].map((limit) => {
    const reset = headers[`x-ratelimit-reset${limit}`]?.trim() ?? '';
    if (Number(headers[`x-ratelimit-remaining${limit}`] ?? 0) > 0) return 0;
    if (DURATION.test(reset)) return durationMs(reset);
    const value = /^\d+(?:\.\d+)?$/.test(reset) ? Number(reset) : 0;
    if (value < 1e9) return value * 1_000;
    return (value < 1e12 ? value * 1_000 : value) - nowMs;
  });
  const longest = Math.ceil(Math.max(...delays));
  return longest > 0 ? longest : null;
}

/** Returns the milliseconds of a duration such as `1m2.5s`. */
function durationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/gi)];
  return Math.ceil(
    parts.reduce((sum, [, count, unit = 'ms']) => sum + Number(count) * (UNIT_MS[unit.toLowerCase()] ?? 1), 0),
  );
}

const DURATION_TEXT = String.raw`(?:\d{1,9}(?:\.\d{1,9})?(?:ms|h|m|s)){1,4}`;
const DURATION = new RegExp(`^${DURATION_TEXT}$`);
const DELAY_IN_BODY = new RegExp(
  String.raw`(?:"retryDelay"\s*:\s*"|\b(?:try|retry)(?: again)? in )(${DURATION_TEXT})`,
  'i',
);
const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Returns an event of a stream that reports an error in a form unknown to the AI SDK, such as `{"error": "text"}`. */
function errorEventOf(error: unknown): unknown {
  return TypeValidationError.isInstance(error) && fieldOf(error.value, 'error') ? error.value : undefined;
}

function messageIn(value: unknown): string | null {
  const error = fieldOf(value, 'error');
  const found = [fieldOf(error, 'message'), error, fieldOf(value, 'message'), fieldOf(value, 'detail')].find(
    (candidate) => candidate !== undefined && candidate !== null,
  );
  if (found === undefined || found === null) return null;
  const text = typeof found === 'string' ? found : JSON.stringify(found);
  return text.trim() === '' ? null : text;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Failure of one attempt, with a human-readable message. `again` is true if a retry may help. */
export type FailedAttempt = Pick<ModelFailure, 'kind' | 'message' | 'remedy' | 'status' | 'retryAt'> & {
  again: boolean;
};

/**
 * Converts an error of the AI SDK or the network to a failure. The message says what happened and where, the remedy what to do. Neither
 * contains keys or headers. `cutOff` is set if the caller or the timeout ended the attempt.
 */
export function failureOf(error: unknown, context: FailureContext): FailedAttempt {
  if (context.configuration.kind === 'target') return ofTarget(error, context);
  return ofModel(error, context);
}

type FailureContext = {
  configuration: ProviderConfiguration;
  model: string;
  timeoutMs: number;
  cutOff: 'aborted' | 'timeout' | null;
  /** Reason for a timeout after the response had begun: no more data arrived, or the response took too long overall. */
  begun?: 'silent' | 'endless' | null;
  /** True if images or other files were sent. */
  sendsFiles?: boolean;
};

/** A target is the user's own app, so the remedy points there. */
function ofTarget(error: unknown, context: FailureContext): FailedAttempt {
  if (context.cutOff === null && error instanceof TargetError) return { ...error.failed, status: null };
  const failed = ofModel(error, context);
  if (failed.kind === 'aborted') return failed;
  const { configuration, timeoutMs } = context;
  const target = `The target "${configuration.name}"`;
  const isRefused = causeOf(error, (cause) => cause instanceof RefusedAddressError) !== null;
  const remedy = isRefused
    ? 'Change the URL of the target, or have the operator name its host in HONE_ALLOWED_PRIVATE_HOSTS.'
    : (TARGET_REMEDIES[failed.kind] ?? 'Look at the log of the app, fix it, then resume the run.');
  if (failed.kind === 'timeout' && failed.status === null)
    return { ...failed, message: `${target} did not respond within ${Math.round(timeoutMs / 100) / 10} s.`, remedy };
  if (failed.status === null) return { ...failed, remedy };
  const message = formatProviderMessage(error, secretsOf(configuration));
  return { ...failed, message: `${target} responded with HTTP ${failed.status}${message}`, remedy };
}

const TARGET_REMEDIES: Partial<Record<ModelFailure['kind'], string>> = {
  unauthorized: 'Check that the app has the secret of the target and that its clock is right, then resume the run.',
  forbidden: 'Check that the app has the secret of the target and that its clock is right, then resume the run.',
  not_found: 'Check the URL of the target, then resume the run.',
  timeout: 'Check on the Targets page that the app is connected, or raise the timeout, then resume the run.',
  network: 'Start the app and check the URL of the target, then resume the run.',
  rate_limited: 'Wait, or lower the number of calls at a time of the target. Then resume the run.',
};

function ofModel(error: unknown, context: FailureContext): FailedAttempt {
  const server = serverLabel(context.configuration);
  if (context.cutOff === 'aborted') return STOPPED;
  if (context.cutOff === 'timeout') return timedOut(server, context);
  const tooLarge = causeOf(error, (cause) => cause instanceof AnswerTooLargeError);
  if (tooLarge !== null) {
    return {
      kind: 'malformed',
      message: `The response of "${context.model}" from ${server} is too large to be read.`,
      remedy: 'Limit the length of responses, or check which server responds at that address.',
      status: null,
      again: false,
    };
  }
  const refused = causeOf(error, (cause) => cause instanceof RefusedAddressError);
  if (refused !== null) {
    return {
      kind: 'bad_request',
      message: `${server} was not called: its address ${refused.message}.`,
      remedy: 'Enter another base URL on the Models page, or have the operator name the host.',
      status: null,
      again: false,
    };
  }
  const status = statusOf(error);
  const message = formatProviderMessage(error, secretsOf(context.configuration));
  if (context.sendsFiles === true && refusesFiles(error, status, withoutName(message, context.model)))
    return ofFiles(status, message, server, context);
  if (isFiltered(error, status)) return ofFilter(status, message, server, context);
  if (status !== null && status >= 300) return ofStatus({ status, error, message }, server, context);
  if (isNetworkError(error)) {
    if (status !== null) return brokenOff(server, context.model);
    return {
      kind: 'network',
      message: `No connection to ${server}${message}`,
      remedy: 'Check that the server is running and that its base URL is right, then resume the run.',
      status: null,
      again: true,
    };
  }
  if (error instanceof Error && error.name === 'StreamCutError') return brokenOff(server, context.model);
  if (error instanceof Error && /without a finish (?:reason|chunk)/i.test(error.message))
    return brokenOff(server, context.model);
  if (isStreamError(error)) {
    return {
      kind: 'unavailable',
      message: `${server} reported an error while "${context.model}" was answering${message}`,
      remedy: 'Resume the run later, or choose another model.',
      status,
      again: true,
    };
  }
  return {
    kind: 'malformed',
    message: `The response of "${context.model}" from ${server} could not be read${message}`,
    remedy:
      'Check that the base URL is that of the API (it often ends in /v1) and test the provider on the Models page.',
    status: null,
    again: false,
  };
}

/** Returns true for an error that the provider reported while it was answering. */
function isStreamError(error: unknown): boolean {
  if (isProviderStreamError(error) || StreamProviderError.isInstance(error) || !(error instanceof Error)) return true;
  return errorEventOf(error) !== undefined;
}

/**
 * Returns true if the error indicates that the model accepts no files, or none of this type. `message` must not contain the model's name.
 */
function refusesFiles(error: unknown, status: number | null, message: string): boolean {
  if (error instanceof Error && error.name === 'AI_UnsupportedFunctionalityError') return true;
  return status !== null && FILE_STATUSES.includes(status) && SAYS_FILES.test(message);
}

/** Removes a model's name from a text. A name such as `m` stays part of other words. */
function withoutName(text: string, model: string): string {
  const name = model.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replaceAll(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g'), '');
}

const FILE_STATUSES = [400, 404, 415, 422, 500, 501];
const SAYS_FILES =
  /\bimages?\b|image_url|vision|multi-?modal|\bmedia\b|\bfiles?\b|\bpdf\b|content (?:type|part)|mmproj/i;

function ofFiles(status: number | null, message: string, server: string, { model }: { model: string }): FailedAttempt {
  return {
    kind: 'bad_request',
    message: `"${model}" from ${server} did not accept the images or files of the case${status === null ? '' : ` (HTTP ${status})`}${message}`,
    remedy: 'Choose a model that reads images or such files, or remove them from the case.',
    status,
    again: false,
  };
}

/** Failure of a call that the caller's signal aborted. */
export const STOPPED: FailedAttempt = {
  kind: 'aborted',
  message: 'The call was stopped.',
  remedy: 'Resume the run.',
  status: null,
  again: false,
};

/** Returns true if a content filter refused the prompt or cut off the answer. A repetition would be paid and refused too. */
function isFiltered(error: unknown, status: number | null): boolean {
  if (status === null ? error instanceof Error && !isStreamError(error) : status !== 400 && status !== 403)
    return false;
  return FILTERED.test(errorMessage(error));
}

function ofFilter(status: number | null, message: string, server: string, { model }: { model: string }): FailedAttempt {
  return {
    kind: 'refused',
    message: `${server} refused the prompt or the answer of "${model}" (content filter${status === null ? '' : `, HTTP ${status}`})${message}`,
    remedy: 'Word the task or the instructions differently, or choose another model.',
    status,
    again: false,
  };
}

type StatusError = { status: number; error: unknown; message: string };

function ofStatus({ status, error, message }: StatusError, server: string, context: { model: string }): FailedAttempt {
  const reason = errorMessage(error);
  const meant = meantStatus(status, reason, error);
  const row = STATUSES.find(([statuses]) => statuses.includes(meant));
  if (row !== undefined) {
    const [, kind, what, remedy, again] = row;
    return { kind, message: `${server} ${what(context.model)} (HTTP ${status})${message}`, remedy, status, again };
  }
  if (status < 400) {
    return {
      kind: 'bad_request',
      message: `${server} redirects to another address (HTTP ${status})${message}`,
      remedy: 'Enter the address it redirects to as base URL (https instead of http, or with /v1 at its end).',
      status,
      again: false,
    };
  }
  if (status >= 500) {
    return {
      kind: 'unavailable',
      message: `${server} is not available (HTTP ${status})${message}`,
      remedy: 'Wait until the provider works again, then resume the run.',
      status,
      again: true,
    };
  }
  return {
    kind: 'bad_request',
    message: `${server} refused the request to "${context.model}" (HTTP ${status})${message}`,
    remedy: 'Check the model name, the temperatures of the experiment and the length of the prompt.',
    status,
    again: false,
  };
}

/** Returns the status that describes a failure. Some providers report it with that of another one. */
function meantStatus(status: number, reason: string, error: unknown): number {
  // Google words a rate limit like missing credit, but requests a delay.
  const hasDelay = APICallError.isInstance(error) && explicitDelayMs(error, headersOf(error), 0) !== null;
  const isOutOfCredit = NO_CREDIT.test(reason) && !hasDelay;
  if ((status === 429 || status === 400) && isOutOfCredit) return 402;
  if (TOO_LONG_STATUSES.includes(status) && TOO_LONG.test(reason)) return 413;
  if (status !== 400) return status;
  if (WRONG_KEY.test(reason)) return 401;
  return NO_MODEL.test(reason) ? 404 : status;
}

const WRONG_KEY = /\bapi key not valid|\b(?:invalid|incorrect) api key\b|^no connected db\b/i;
const NO_MODEL =
  /\bmodel\b.{0,200}\b(?:does )?not exist\b|\binvalid model\b|\bmodel identifier is invalid|\bnot a valid model ID/i;
const TOO_LONG_STATUSES = [400, 422, 500];
const TOO_LONG = new RegExp(
  [
    'maximum (?:context|prompt) length|context_length_exceeded|context length of only|exceeded model token limit',
    '(?:exceeds?|longer than|greater than)\\b.{0,40}\\bcontext (?:length|window|size|limit)',
    '(?:prompt|input|request) is too long|input token count .{0,40}exceeds',
    'reduce the length of the (?:messages|prompt|input)|must have less than \\d+ tokens|tokens \\+ `max_new_tokens` must be',
  ].join('|'),
  'i',
);
const FILTERED =
  /content management policy|\bcontent_filter\b|content[_ ]policy[_ ]violation|responsible ?ai ?policy|prohibited_content|content exists risk|inappropriate content|content filtering policy|(?:prompt|input) was flagged|violates usage guidelines/i;
const NO_CREDIT =
  /insufficient_quota|exceeded your current quota|credit balance is too low|billing hard limit|reached your specified API usage limits/i;

type Row = [number[], ModelFailure['kind'], (model: string) => string, string, boolean];
const STATUSES: Row[] = [
  [
    [401],
    'unauthorized',
    () => 'did not accept the API key',
    'Enter a valid key on the Models page, then resume the run.',
    false,
  ],
  [[402], 'forbidden', () => 'requires payment', 'Add credit to the account of this key, then resume the run.', false],
  [
    [403],
    'forbidden',
    (model) => `does not allow this key to use "${model}"`,
    'Choose a model the key may use, or a key that may use it.',
    false,
  ],
  [
    [404],
    'not_found',
    (model) => `does not know the model "${model}"`,
    'Check the model name, and that the base URL is that of the API (it often ends in /v1).',
    false,
  ],
  [[408, 504, 524], 'timeout', () => 'timed out', 'Resume the run later, or choose a faster model.', true],
  [[409], 'unavailable', () => 'cannot accept the request at the moment', 'Wait a moment, then resume the run.', true],
  [
    [413],
    'bad_request',
    (model) => `rejected the prompt for "${model}" as too long`,
    'Shorten the input, lower the maximum output tokens, or choose a model with a larger context.',
    false,
  ],
  [
    [429, 529],
    'rate_limited',
    () => 'refuses more requests at the moment',
    'Wait, lower the number of simultaneous calls, or check the quota of the key. Then resume the run.',
    true,
  ],
];

function timedOut(
  server: string,
  { model, timeoutMs, begun = null }: { model: string; timeoutMs: number; begun?: 'silent' | 'endless' | null },
): FailedAttempt {
  const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
  const what = {
    none: `did not respond within ${seconds(timeoutMs)}.`,
    silent: `began to answer, then sent nothing for ${seconds(timeoutMs)}.`,
    endless: `was still answering after ${seconds(timeoutMs * MAX_STREAM_TIMEOUT_FACTOR)}.`,
  };
  return {
    kind: 'timeout',
    message: `"${model}" from ${server} ${what[begun ?? 'none']}`,
    remedy:
      'Resume the run later, raise the timeout of the provider on the Models page, choose a faster model, or shorten the input.',
    status: null,
    again: begun === null,
  };
}

function brokenOff(server: string, model: string): FailedAttempt {
  return {
    kind: 'network',
    message: `The response of "${model}" from ${server} ended early.`,
    remedy: 'Check the connection and the server, then resume the run.',
    status: null,
    again: true,
  };
}

function statusOf(error: unknown): number | null {
  if (APICallError.isInstance(error)) {
    const { statusCode = null, responseBody } = error;
    const body = parseJson(responseBody ?? '');
    const inBody = fieldOf(body, 'error');
    // A response of OpenAI that failed has status 200. The AI SDK reports 400. Other servers use the same word for all errors.
    if (fieldOf(body, 'status') === 'failed' && (statusCode === 200 || statusCode === 400))
      return FAILED_STATUSES[String(fieldOf(inBody, 'code'))] ?? 400;
    // OpenRouter sends the headers before the model fails, so the status of the failure is only in the body.
    return (statusCode === 200 ? numericCode(inBody) : null) ?? statusCode;
  }
  if (StreamProviderError.isInstance(error) || isProviderStreamError(error)) return error.statusCode ?? null;
  return numericCode(error);
}

/** Status by the error code of a response of OpenAI that failed. All other codes mean that the request was refused. */
const FAILED_STATUSES: Readonly<Record<string, number>> = { server_error: 500, rate_limit_exceeded: 429 };

/** Servers that fail mid-stream send the status as `code` of a plain object. */
function numericCode(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || error instanceof Error || !('code' in error)) return null;
  const code = Number(error.code);
  return Number.isInteger(code) && code >= 400 && code <= 599 ? code : null;
}

const NETWORK_CODE =
  /^(HPE_|E(CONN|PIPE|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|TIMEDOUT)|UND_ERR_|CERT_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS|ERR_SSL)/;

function isNetworkError(error: unknown): boolean {
  if (causeOf(error, (cause) => 'code' in cause && NETWORK_CODE.test(String(cause.code))) !== null) return true;
  return causeOf(error, (cause) => /^(?:fetch failed|cannot connect to api)/i.test(cause.message)) !== null;
}

function causeOf(error: unknown, holds: (cause: Error) => boolean): Error | null {
  let cause = error;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth++) {
    if (holds(cause)) return cause;
    cause = cause.cause;
  }
  return null;
}

/** Formats the provider's own message, shortened and redacted: `: "…"`, or a full stop if there is none. */
function formatProviderMessage(error: unknown, secrets: readonly string[]): string {
  const text = secrets
    .reduce(redactSecrets, redactSecrets(errorMessage(error), null))
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? '.' : `: ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`;
}
