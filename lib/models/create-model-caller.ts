import { setTimeout as delay } from 'node:timers/promises';
import { APICallError } from '@ai-sdk/provider';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import type { TextRole } from '#lib/reflection/model-request.ts';
import { withoutThinking } from '#lib/reflection/without-thinking.ts';
import { askOnce, type RawReply } from './ask-once.ts';
import type { Unreachable } from './connect.ts';
import { embedOnce } from './embed-once.ts';
import { embeddingModel } from './embedding-model.ts';
import { type FailedTry, STOPPED } from './failure-of.ts';
import { languageModel, type ReachableModel } from './language-model.ts';
import type { CallOptions, ModelCaller, ModelFailure, ModelOutcome, ModelRequest } from './model-caller.ts';
import { modelFetch } from './model-fetch.ts';
import { priceOf } from './price-of.ts';
import { type ProviderConfiguration, placeOf, type ToolsBy } from './provider-configuration.ts';
import { retryAfterMs } from './retry-after.ts';
import { TOOLS_IN_TEXT, toolsMemory } from './tools-memory.ts';
import { toolsRefusal } from './tools-refusal.ts';
import { callSpan, callSpanEnd } from './tracing/call-span.ts';
import { traced } from './tracing/traced.ts';
import { type Attempt, type Try, tryOnce } from './try-once.ts';
import { piecesWithoutKey, withoutKey } from './without-key.ts';

export type ModelCallerOptions = {
  /** The provider of that name with its key opened; null when there is none. */
  resolveProvider: (name: string) => Promise<ProviderConfiguration | null>;
  /** Where providers may be besides public addresses: each is checked as it is connected to. */
  addresses: AddressRules;
  resolve?: Resolve;
  /** Time limit of one try, in milliseconds (180,000). */
  timeoutMs?: number;
  /** Tries of one call, the first included (4). */
  maxAttempts?: number;
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
  /** Pause between the words of a streamed practice reply, in milliseconds (10). */
  practicePaceMs?: number;
};

const MAX_REPLY_BYTES = 64_000_000;
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 1_000;

/**
 * The function that asks models. It tries again after 408, 409, 429, 5xx, time-outs and network errors, waiting 1, 2, 4 … s or
 * as long as the provider asks (more than 60 s is a failure that says when). What a provider does is an outcome, never a throw.
 */
export function createModelCaller(options: ModelCallerOptions): ModelCaller {
  const now = options.now ?? steadyNow;
  // Providers name moments by the wall clock; how long something took is measured by the steady one.
  const wallNow = options.now ?? Date.now;
  const fetch = modelFetch(options.addresses, MAX_REPLY_BYTES, options.resolve);
  const modelOf = rememberedModels(options.practicePaceMs ?? 10, fetch);
  const memory = toolsMemory();
  const ask: Ask = async (request, configuration, { signal, onText }) => {
    const startedAtMs = now();
    const { model } = request.model;
    const target = attemptAt(request, configuration, { modelOf, fetch });
    if (!target.ok) return failedOutcome({ ...target, status: null }, 0, 0);

    const context = { configuration, model, timeoutMs: options.timeoutMs ?? 180_000 };
    const tryBy = (toolsBy: ToolsBy) =>
      tryRepeatedly(
        async (onTextOfTry) => {
          const asked = { signal, onText: onTextOfTry };
          const tried = await tryOnce((once) => target.attempt({ ...once, toolsBy }), asked, context);
          const isInVain = !tried.ok && toolsBy === 'native' && toolsRefusal(request, tried.failed) === 'for_good';
          return isInVain ? { ...tried, failed: { ...tried.failed, again: false } } : tried;
        },
        { signal, onText },
        { maxAttempts: options.maxAttempts ?? 4, sleep: options.sleep ?? wait, now: wallNow },
      );
    const toolsBy = request.conversation === undefined ? 'native' : memory.toolsBy(configuration, model);
    const first = await tryBy(toolsBy);
    const mayAskInText = toolsBy === 'native' && configuration.toolsBy !== 'native';
    const refusal = mayAskInText && !first.last.ok ? toolsRefusal(request, first.last.failed) : null;
    const second = refusal === null ? null : await tryBy('prompt');
    if (second?.last.ok && refusal === 'for_good') memory.refused(configuration, model);
    const { last } = second ?? first;
    const attempts = first.attempts + (second?.attempts ?? 0);
    const latencyMs = Math.max(0, Math.round(now() - startedAtMs));
    const isInText = toolsBy === 'prompt' || second !== null;
    return last.ok
      ? outcomeOf(isInText ? withWarning(last.reply, TOOLS_IN_TEXT) : last.reply, request, configuration, {
          attempts,
          latencyMs,
          at: new Date(now()),
        })
      : failedOutcome(last.failed, attempts, latencyMs);
  };
  return async (request, { signal, onText }) => {
    const configuration = await options.resolveProvider(request.model.provider);
    if (configuration === null) return failedOutcome(unknownProvider(request.model.provider), 0, 0);
    const { apiKey } = configuration;
    const shown = { signal, onText: piecesWithoutKey(onText, apiKey) };
    return traced(
      (capturesContent) => callSpan(request, configuration, capturesContent),
      async () => withoutKey(await ask(request, configuration, shown), apiKey),
      (outcome, capturesContent) => callSpanEnd(outcome, apiKey, capturesContent),
    );
  };
}

type Ask = (request: ModelRequest, configuration: ProviderConfiguration, options: CallOptions) => Promise<ModelOutcome>;

/** How a request is tried: embeddings are asked for in their own way. */
function attemptAt(
  request: ModelRequest,
  configuration: ProviderConfiguration,
  { modelOf, fetch }: { modelOf: ReturnType<typeof rememberedModels>; fetch: typeof globalThis.fetch },
): { ok: true; attempt: (options: CallOptions & { toolsBy: ToolsBy }) => ReturnType<Attempt> } | Unreachable {
  const { model } = request.model;
  if (request.role === 'embed') {
    const target = embeddingModel(configuration, model, fetch);
    return target.ok ? { ok: true, attempt: (options) => embedOnce(target.model, request, options) } : target;
  }
  const target = modelOf(configuration, model, request.role);
  return target.ok ? { ok: true, attempt: (options) => askOnce(target, request, options) } : target;
}

/** Counts on evenly when the system's clock is set: what a call took must not depend on that. */
function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Making a model takes longer than asking it, so it is kept for as long as its provider's configuration is the same object. */
function rememberedModels(practicePaceMs: number, fetch: typeof globalThis.fetch) {
  const known = new WeakMap<ProviderConfiguration, Map<string, ReachableModel>>();
  return (configuration: ProviderConfiguration, model: string, role: TextRole): ReachableModel => {
    const models = known.get(configuration) ?? new Map<string, ReachableModel>();
    known.set(configuration, models);
    const key = `${role} ${model}`;
    const target = models.get(key) ?? languageModel(configuration, model, { role, practicePaceMs, fetch });
    models.set(key, target);
    return target;
  };
}

type Tries = {
  last: { ok: true; reply: RawReply } | { ok: false; failed: Omit<FailedTry, 'again'> };
  attempts: number;
};

async function tryRepeatedly(
  attemptCall: (onText: CallOptions['onText']) => Promise<Try>,
  { signal, onText }: CallOptions,
  { maxAttempts, sleep, now }: Required<Pick<ModelCallerOptions, 'maxAttempts' | 'sleep' | 'now'>>,
): Promise<Tries> {
  let shown = false;
  for (let attempts = 1; ; attempts++) {
    // What was shown of a try that failed can't be taken back: the next try is not shown, its text comes whole at the end.
    const muted = shown;
    const tried = await attemptCall(
      onText &&
        ((piece) => {
          if (muted || signal.aborted) return;
          shown = true;
          onText(piece);
        }),
    );
    if (tried.ok || !tried.failed.again) return { last: tried, attempts };
    const asked = APICallError.isInstance(tried.error) ? retryAfterMs(tried.error.responseHeaders, now()) : null;
    if (asked !== null && asked > LONGEST_WAIT_MS) {
      const when = new Date(now() + asked).toISOString().replace(/\.\d+Z$/, 'Z');
      const remedy = `The provider asks to wait until ${when}: resume the run then.`;
      return { last: { ok: false, failed: { ...tried.failed, remedy } }, attempts };
    }
    if (attempts >= maxAttempts) return { last: tried, attempts };
    await sleep(asked ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1)), signal).catch(() => {});
    if (signal.aborted) return { last: { ok: false, failed: STOPPED }, attempts };
  }
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal });
}

function outcomeOf(
  raw: RawReply,
  request: ModelRequest,
  configuration: ProviderConfiguration,
  { attempts, latencyMs, at }: { attempts: number; latencyMs: number; at: Date },
): ModelOutcome {
  const { input, output, total } = raw.tokenUsage;
  const tokenUsage = { input, output, total };
  const { model } = request.model;
  const costUsd = priceOf(configuration, model, raw.tokenUsage, at);
  const refused = refusalOf(raw, request, configuration);
  if (refused !== null) {
    return { ok: false, failure: { ...refused, status: null, attempts, latencyMs, tokenUsage, costUsd } };
  }
  const { tokenUsage: _usage, ...reply } = raw;
  return { ok: true, reply: { ...reply, tokenUsage, costUsd, latencyMs, attempts } };
}

function withWarning(reply: RawReply, warning: string): RawReply {
  return { ...reply, warnings: [...reply.warnings, warning] };
}

function refusalOf(
  raw: RawReply,
  { model: { model }, conversation }: ModelRequest,
  configuration: ProviderConfiguration,
): Pick<ModelFailure, 'kind' | 'message' | 'remedy'> | null {
  if (raw.finishReason === 'content-filter') {
    return {
      kind: 'refused',
      message: `"${model}" from ${placeOf(configuration)} refused to answer (content filter).`,
      remedy: 'Word the task or the instructions differently, or choose another model.',
    };
  }
  // A reply that is nothing but thinking holds no answer.
  if (withoutThinking(raw.text).trim() !== '') return null;
  // An agent may say nothing beside using a tool; one that does neither is told so in its next turn.
  if (conversation !== undefined && (raw.finishReason !== 'length' || raw.toolCalls !== undefined)) return null;
  return {
    kind: 'empty',
    message: `"${model}" from ${placeOf(configuration)} gave an empty reply${raw.finishReason === 'length' ? ': it used up its tokens before the answer' : ''}.`,
    remedy:
      raw.finishReason === 'length'
        ? 'Allow it more output tokens, then resume the run.'
        : 'Resume the run, or choose another model.',
  };
}

function unknownProvider(name: string): Omit<FailedTry, 'again'> {
  return {
    kind: 'unknown_provider',
    message: `There is no provider named "${name}".`,
    remedy: 'Add it on the Models page, or choose another provider in the experiment.',
    status: null,
  };
}

function failedOutcome(
  { kind, message, remedy, status }: Omit<FailedTry, 'again'>,
  attempts: number,
  latencyMs: number,
): ModelOutcome {
  const nothing = { input: 0, output: 0, total: 0 };
  return {
    ok: false,
    failure: { kind, message, remedy, status, attempts, latencyMs, tokenUsage: nothing, costUsd: 0 },
  };
}
