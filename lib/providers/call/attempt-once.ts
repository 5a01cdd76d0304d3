import { AsyncLocalStorage } from 'node:async_hooks';
import { CHARACTERS_PER_TOKEN } from '#lib/core/estimated-tokens.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import type { TokenUsage } from '#lib/core/token-usage.ts';
import { guardedFetch } from '#lib/outgoing/guarded-fetch.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { MAX_STREAM_TIMEOUT_FACTOR, type ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { type FailedAttempt, failureOf } from './failure-of.ts';
import type { CallOptions, ModelResponse } from './model-caller.ts';

/** Raw response. `cached` is the number of input tokens that the provider read from its cache. */
export type RawResponse = {
  text: string;
  finishReason: string;
  tokenUsage: TokenUsage & { cached: number };
  warnings: string[];
  /** Cost reported by the provider. Omitted if the price list determines it. */
  costUsd?: number | null;
} & Pick<ModelResponse, 'tokenDetails' | 'toolCalls' | 'callsLeftOut' | 'thought'>;

/** Changes of an attempt to its request, and its progress. */
export type AttemptContext = {
  /** Top-level fields of the request's JSON body to rename (a name) or to leave out (null). */
  bodyEdits: Readonly<Record<string, string | null>>;
  /** True once the whole request has been sent. */
  isSent: boolean;
  /** True once a response with a success status has begun. */
  isAnswered: boolean;
  /** Estimated tokens of the request, from its length. */
  inputTokens: number;
  /** Length of the text, thinking and tool arguments received so far, see `tokenLength`. */
  receivedLength: number;
};

/** The AI SDK does not pass the call's context to `fetch`. */
const attempts = new AsyncLocalStorage<AttemptContext>();

function newAttemptContext(bodyEdits: AttemptContext['bodyEdits'] = {}): AttemptContext {
  return { bodyEdits, isSent: false, isAnswered: false, inputTokens: 0, receivedLength: 0 };
}

/** Performs an attempt. Its requests find its context with `currentAttempt`. */
function inAttempt<Value>(context: AttemptContext, work: () => Value): Value {
  return attempts.run(context, work);
}

export function currentAttempt(): AttemptContext | undefined {
  return attempts.getStore();
}

/** Applies an attempt's edits to a request's JSON body. A body that is not a JSON object is unchanged. */
function editedBody(body: string, edits: AttemptContext['bodyEdits']): string {
  if (Object.keys(edits).length === 0) return body;
  const parsed = parseJson(body);
  if (!isRecord(parsed)) return body;
  const edited = Object.entries(parsed).flatMap(([name, value]) => {
    if (!Object.hasOwn(edits, name)) return [[name, value]];
    const newName = edits[name];
    return newName === null || newName === undefined ? [] : [[newName, value]];
  });
  return JSON.stringify(Object.fromEntries(edited));
}

/** Calls a model once and reports each piece that arrives. Throws the errors of the AI SDK. */
export type Attempt = (options: CallOptions & { onPiece: () => void }) => Promise<RawResponse>;

/**
 * Result of one attempt. `error` is the thrown error, for its headers. `billable` is the estimate of tokens that the provider may bill for
 * an attempt without a response. Null if it bills none.
 */
export type AttemptOutcome =
  | { ok: true; reply: RawResponse }
  | { ok: false; failed: FailedAttempt; error: unknown; billable: { input: number; output: number } | null };

/**
 * Makes one attempt within its timeout. It ends immediately when the caller's signal aborts, even if the provider's library does not. The
 * timeout restarts with each piece that arrives. A whole response may take up to `MAX_STREAM_TIMEOUT_FACTOR` times as long.
 */
export async function attemptOnce(
  attempt: Attempt,
  options: CallOptions,
  context: {
    configuration: ProviderConfiguration;
    model: string;
    timeoutMs: number;
    bodyEdits?: AttemptContext['bodyEdits'];
    sendsFiles?: boolean;
  },
): Promise<AttemptOutcome> {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const progress = newAttemptContext(context.bodyEdits);
  let late: 'silent' | 'endless' | null = null;
  const end = () => {
    controller.abort(options.signal.reason);
    ended.reject(options.signal.reason);
  };
  const giveUp = (why: 'silent' | 'endless') => () => {
    if (!options.signal.aborted) late ??= why;
    end();
  };
  const idle = setTimeout(giveUp('silent'), context.timeoutMs);
  const total = setTimeout(giveUp('endless'), context.timeoutMs * MAX_STREAM_TIMEOUT_FACTOR);
  let hasBegun = false;
  const onPiece = () => {
    hasBegun = true;
    idle.refresh();
  };
  try {
    options.signal.throwIfAborted();
    // Used instead of AbortSignal.any, which is several times slower to create.
    options.signal.addEventListener('abort', end, { once: true });
    const response = inAttempt(progress, () => attempt({ signal: controller.signal, onText: options.onText, onPiece }));
    return { ok: true, reply: await Promise.race([response, ended.promise]) };
  } catch (error) {
    const cutOff = late !== null ? 'timeout' : options.signal.aborted ? 'aborted' : null;
    const begun = hasBegun && progress.receivedLength > 0 ? late : null;
    const failed = failureOf(error, { ...context, cutOff, begun });
    return { ok: false, failed, error, billable: billableOf(failed, cutOff, progress) };
  } finally {
    clearTimeout(idle);
    clearTimeout(total);
    options.signal.removeEventListener('abort', end);
  }
}

/** A provider bills requests it has responded to, even if the caller left, the connection broke, or a content filter cut off the answer. */
function billableOf(
  failed: FailedAttempt,
  cutOff: 'aborted' | 'timeout' | null,
  { isSent, isAnswered, inputTokens, receivedLength }: AttemptContext,
): { input: number; output: number } | null {
  const isCut = ['network', 'unavailable', 'refused'].includes(failed.kind);
  const isBillable =
    cutOff !== null ? isSent : isCut && isAnswered && (failed.kind === 'network' || receivedLength > 0);
  return isBillable ? { input: inputTokens, output: Math.ceil(receivedLength / CHARACTERS_PER_TOKEN) } : null;
}

/** Maximum length of a last event that is completed, in characters. */
const MAX_LAST_EVENT_LENGTH = 16_000;

/**
 * Adds the missing empty line after the last event of a stream if its data is a JSON object. Readers skip an event without it, and some
 * servers end so after an error.
 */
function withWholeEvents(response: Response): Response {
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  if (!isStream || response.body === null) return response;
  const decoder = new TextDecoder();
  let end = '';
  const completed = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      end = (end + decoder.decode(chunk, { stream: true })).slice(-MAX_LAST_EVENT_LENGTH);
      controller.enqueue(chunk);
    },
    flush(controller) {
      const lines = (end.split(/\r\n\r\n|\n\n|\r\r/).at(-1) ?? '').split(/\r\n|\n|\r/);
      const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
      if (isRecord(parseJson(data.join('\n')))) controller.enqueue(new TextEncoder().encode('\n\n'));
    },
  });
  return new Response(response.body.pipeThrough(completed), response);
}

/**
 * Creates the `fetch` for providers. It checks the address on every connection because a host name can resolve differently over time. It
 * reads at most `maxBytes` of a response body. It follows no redirects, since a key must not be sent to another URL than the one it was
 * saved for. It applies the body edits of an attempt and records the attempt's progress.
 */
export function modelFetch(rules: AddressRules, maxBytes: number, resolve?: Resolve): typeof fetch {
  const ask = guardedFetch({ rules, maxBytes, resolve, keepsConnections: true, unpacks: true });
  return async (address, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(USUAL)) if (!headers.has(name)) headers.set(name, value);
    const context = currentAttempt();
    if (context === undefined) return ask(address, { ...init, headers });
    const edited = typeof init?.body === 'string' ? { body: editedBody(init.body, context.bodyEdits) } : {};
    const onSent = () => {
      context.isSent = true;
    };
    const response = await ask(address, { ...init, ...edited, headers }, onSent);
    // An HTML page is not a model response.
    if (response.ok && !/^text\/html/i.test(response.headers.get('content-type') ?? '')) context.isAnswered = true;
    return withWholeEvents(response);
  };
}

const USUAL = { accept: '*/*', 'user-agent': 'Hone' };
