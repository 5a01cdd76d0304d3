import { setTimeout as delay } from 'node:timers/promises';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { MaybeBilled, TextRole } from '#lib/core/model-request.ts';
import { withoutThinking } from '#lib/core/responses.ts';
import { TARGET_MODEL } from '#lib/core/targets/target-model.ts';
import type { TokenUsage } from '#lib/core/token-usage.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import {
  embeddingModel,
  givenModel,
  languageModel,
  type ReachableModel,
  type Unreachable,
} from '#lib/providers/language-model.ts';
import { priceOf } from '#lib/providers/list-price.ts';
import {
  DEFAULT_TIMEOUT_SECONDS,
  type ProviderConfiguration,
  serverLabel,
} from '#lib/providers/provider-configuration.ts';
import {
  REFUSABLE_PARAMETERS,
  type RefusableParameter,
  refusedParameterText,
} from '#lib/providers/refused-parameter-record.ts';
import { callSpan, callSpanEnd, traced } from '../tracing/spans.ts';
import { type Attempt, type AttemptOutcome, attemptOnce, modelFetch, type RawResponse } from './attempt-once.ts';
import { type CallPlan, leftOutOf, planCall } from './call-plan.ts';
import { type FileBytes, filesOfRequest, readReplay } from './chat-messages.ts';
import { errorMessage, type FailedAttempt, namedParameter, requestedDelayMs, STOPPED } from './failure-of.ts';
import type {
  CallOptions,
  CallOrigin,
  ModelCaller,
  ModelFailure,
  ModelOutcome,
  ModelRequest,
  RecordKeyState,
} from './model-caller.ts';
import { redactKeyInStream, secretsOf, withoutKey } from './redact-secrets.ts';
import {
  type NewRefusal,
  type Refused,
  type RememberRefused,
  refusalMemory,
  refusedParameters,
} from './refused-parameters.ts';
import { promptAnswer, repairResponse } from './repair-response.ts';
import { embedOnce, requestOnce, withholdsReasoning } from './request-once.ts';
import { refusesAllTools, TOOLS_IN_TEXT, toolsRefusal } from './text-tools.ts';

/** Makes one attempt to call a target, by `fetch` if it has a URL. */
export type CallTarget = (
  call: { configuration: ProviderConfiguration; request: ModelRequest; origin: CallOrigin | null; fetch: typeof fetch },
  options: Parameters<Attempt>[0],
) => ReturnType<Attempt>;

export type ModelCallerOptions = {
  /** Returns the provider of that name with its decrypted key, or null. */
  resolveProvider: (name: string) => Promise<ProviderConfiguration | null>;
  /** Non-public addresses that providers may use. Each address is checked on connect. */
  addresses: AddressRules;
  resolve?: Resolve;
  /** Timeout of one attempt if its provider sets none, in milliseconds (300,000). */
  timeoutMs?: number;
  /**
   * Maximum attempts per call, including the first (4). Attempts that only reveal a refused parameter do not count: the full number is
   * available again after each.
   */
  maxAttempts?: number;
  /** Permanently saves the parameters that a model refuses. Without it, they are kept for the lifetime of the caller. */
  rememberRefused?: RememberRefused;
  /** Called with each outcome, which can reveal the state of the provider's key. */
  noteKey?: RecordKeyState;
  /** Returns the model to call instead of one created from the provider's configuration, or null. */
  givenModel?: (provider: string, model: string) => LanguageModelV4 | null;
  /** Loads the contents of stored files by id. Deleted files are left out. */
  loadFiles?: (ids: readonly string[]) => Promise<FileBytes>;
  /** Calls targets. Without it, targets are unavailable. */
  callTarget?: CallTarget;
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Current time, in milliseconds since 1970. */
  now?: () => number;
  /** Delay between the words of a streamed practice response, in milliseconds (10). */
  practicePaceMs?: number;
};

const MAX_RESPONSE_BYTES = 64_000_000;
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
/** Maximum timeouts of one call that are retried. */
const MAX_TIMEOUTS = 1;

/** Returns false if leaving parameters out did not help, so that they were not refused. */
function isHelpful(learnt: readonly NewRefusal[], { failed }: Failed): boolean {
  return failed.kind !== 'bad_request' && learnt.every(({ message }) => message !== failed.message);
}

/**
 * Creates the function that calls models. It retries after 409, 429, 5xx and network errors, and once after a timeout. It waits 1, 2, 4 … s
 * or as long as the provider requests (more than 60 s is a failure with `retryAt`, as is a rate limit after all attempts). A refused
 * parameter is left out or replaced, and not sent again. Provider errors are returned as outcomes, never thrown.
 */
export function createModelCaller(options: ModelCallerOptions): ModelCaller {
  const now = options.now ?? steadyNow;
  // Providers specify times by the wall clock. Durations are measured by the monotonic clock.
  const wallNow = options.now ?? Date.now;
  const fetch = modelFetch(options.addresses, MAX_RESPONSE_BYTES, options.resolve);
  const remembered = rememberedModels(options.practicePaceMs ?? 10, fetch);
  const modelOf: ModelOf = async (configuration, model, role) => {
    const found = options.givenModel?.(configuration.name, model) ?? null;
    return found === null ? remembered(configuration, model, role) : givenModel(configuration, found);
  };
  const memory = refusalMemory(options.rememberRefused);
  /** Models that need their reasoning back. */
  const reasoners = new Set<string>();
  const ask: SendRequest = async (request, configuration, { signal, onText, origin }) => {
    const startedAtMs = now();
    const { model } = request.model;
    const files = await filesFor(request, options.loadFiles);
    if (files === null) return failedOutcome({ ...FILE_NOT_FOUND, status: null }, NO_ATTEMPTS, 0);
    const { callTarget } = options;
    const reach = { modelOf, callTarget, origin: origin ?? null, fetch, files };
    const target = await attemptAt(request, configuration, reach);
    if (!target.ok) return failedOutcome({ ...target, status: null }, NO_ATTEMPTS, 0);

    const timeoutMs = timeoutOf(configuration) ?? options.timeoutMs ?? DEFAULT_TIMEOUT_SECONDS * 1000;
    const attemptBy = (plan: SentPlan) =>
      attemptRepeatedly(
        async (onTextOfAttempt) => {
          const attemptOptions = { signal, onText: onTextOfAttempt };
          const context = { configuration, model, timeoutMs, bodyEdits: plan.bodyEdits, sendsFiles: files.size > 0 };
          const tried = await attemptOnce((once) => target.attempt(plan, once), attemptOptions, context);
          const isInVain = !tried.ok && refusedBy(tried, plan, request).some(({ lasting }) => lasting);
          return isInVain ? { ...tried, failed: { ...tried.failed, again: false } } : tried;
        },
        { signal, onText },
        { maxAttempts: options.maxAttempts ?? 4, sleep: options.sleep ?? wait, now: wallNow },
      );
    const refused = memory.of(configuration, model);
    const learnt: NewRefusal[] = [];
    const reasoner = JSON.stringify([configuration.name, configuration.baseUrl, model]);
    const planned = () => ({
      ...planCall(request, configuration, refused, onText !== null),
      sendsReasoning: reasoners.has(reasoner),
    });
    let attempts = await attemptBy(planned());
    const mayAddReasoning = target.withholdsReasoning && planned().toolsBy === 'native' && hasReasoning(request);
    if (!attempts.last.ok && mayAddReasoning && !reasoners.has(reasoner) && asksForReasoning(attempts.last)) {
      reasoners.add(reasoner);
      attempts = added(attempts, await attemptBy(planned()));
    }
    const learn = (last: Failed): boolean => {
      const found = refusedBy(last, planned(), request);
      for (const { parameter, lasting } of found) {
        refused.add(parameter);
        const isOfAllTools = parameter === 'tools' && refusesAllTools(request, errorMessage(last.error));
        if (lasting && (isOfAllTools || !isOwn(parameter, request)))
          learnt.push({ parameter, message: last.failed.message });
      }
      return found.length > 0;
    };
    // Each iteration sends fewer parameters, so the loop terminates.
    for (let step = 0; step < REFUSABLE_PARAMETERS.length && !attempts.last.ok && learn(attempts.last); step++)
      attempts = added(attempts, await attemptBy(planned()));
    const { last } = attempts;
    if (learnt.length > 0 && (last.ok || isHelpful(learnt, last))) await memory.remember(configuration, model, learnt);
    const latencyMs = Math.max(0, Math.round(now() - startedAtMs));
    const spent = { ...attempts, maybeBilled: maybeBilledOf(attempts, configuration, model, new Date(now())) };
    if (!last.ok) return failedOutcome(last.failed, spent, latencyMs);
    const warnings = warningsOf(request, configuration, refused, learnt);
    const repaired = repairResponse(last.reply, request);
    const response = { ...promptAnswer(repaired, request), warnings: [...repaired.warnings, ...warnings] };
    return outcomeOf(response, request, configuration, { ...spent, latencyMs, at: new Date(now()) });
  };
  return async (request, { signal, onText, origin }) => {
    const configuration = await options.resolveProvider(request.model.provider);
    if (configuration === null) return failedOutcome(unknownProvider(request.model.provider), NO_ATTEMPTS, 0);
    const { apiKey } = configuration;
    const secrets = secretsOf(configuration);
    const shown = { signal, onText: secrets.reduce(redactKeyInStream, onText), ...(origin && { origin }) };
    return traced(
      (capturesContent) => callSpan(request, configuration, capturesContent),
      async () => {
        const outcome = secrets.reduce(withoutKey, await ask(request, configuration, shown));
        await options.noteKey?.(configuration, outcome);
        return outcome;
      },
      (outcome, capturesContent) => callSpanEnd(outcome, apiKey, capturesContent),
    );
  };
}

/** Returns true if a server refused a conversation because the reasoning before a tool call is missing (DeepSeek, Kimi). */
function asksForReasoning({ failed, error }: Failed): boolean {
  return failed.status === 400 && /\breasoning_content\b/.test(errorMessage(error));
}

/** Returns true if the conversation has reasoning that was returned before a tool call. */
function hasReasoning({ conversation }: ModelRequest): boolean {
  const messages = conversation?.messages ?? [];
  return messages.some(
    (message) =>
      message.role === 'assistant' && message.calls.some((call) => readReplay(call.replay).reasoning.length > 0),
  );
}

/**
 * Returns true if a parameter contains user content: a response schema, or tools of a prompt. Its refusal does not apply to other requests,
 * unless it refuses all tools. The error message may contain keys of that schema, such as "temperature".
 */
function isOwn(parameter: RefusableParameter, { tools, output }: ModelRequest): boolean {
  if (parameter === 'tools') return tools !== undefined;
  return parameter === 'response_format' && output?.jsonSchema !== undefined;
}

type SentPlan = CallPlan & { sendsReasoning: boolean };

type SendRequest = (
  request: ModelRequest,
  configuration: ProviderConfiguration,
  options: CallOptions,
) => Promise<ModelOutcome>;

type AttemptOptions = {
  modelOf: ModelOf;
  callTarget: CallTarget | undefined;
  origin: CallOrigin | null;
  fetch: typeof globalThis.fetch;
  files: FileBytes;
};

/** Returns the attempt function for a request. Targets and embeddings use separate APIs. */
async function attemptAt(
  request: ModelRequest,
  configuration: ProviderConfiguration,
  { modelOf, callTarget, origin, fetch, files }: AttemptOptions,
): Promise<
  | {
      ok: true;
      attempt: (plan: SentPlan, options: Parameters<Attempt>[0]) => ReturnType<Attempt>;
      withholdsReasoning: boolean;
    }
  | Unreachable
> {
  const { model } = request.model;
  if (configuration.kind === 'target' && model === TARGET_MODEL && callTarget !== undefined)
    return {
      ok: true,
      attempt: (_plan, options) => callTarget({ configuration, request, origin, fetch }, options),
      withholdsReasoning: false,
    };
  if (request.role === 'embed') {
    const target = await embeddingModel(configuration, model, fetch);
    if (!target.ok) return target;
    const attempt = (_plan: SentPlan, options: Parameters<Attempt>[0]) => embedOnce(target.model, request, options);
    return { ok: true, attempt, withholdsReasoning: false };
  }
  const target = await modelOf(configuration, model, request.conversation === undefined ? request.role : 'turn');
  if (!target.ok) return target;
  return {
    ok: true,
    attempt: (plan, options) => requestOnce(target, plan, options, files),
    withholdsReasoning: withholdsReasoning(target),
  };
}

/** Returns the parameters of the plan that made an attempt fail. */
function refusedBy({ failed, error }: Failed, plan: CallPlan, request: ModelRequest): Refused[] {
  const refusal = {
    status: failed.status,
    message: errorMessage(error),
    named: namedParameter(error),
    sent: plan.sent,
  };
  const others = refusedParameters(refusal);
  const ofRequest = others.filter(({ parameter }) => isOwn(parameter, request));
  if (ofRequest.length > 0) return ofRequest;
  const isOfOwnTools = plan.sent.has('tools') && isOwn('tools', request);
  if (others.length > 0 && (!isOfOwnTools || others[0]?.parameter === 'system_message')) return others;
  const ofTools = plan.sent.has('tools')
    ? toolsRefusal(request, { status: failed.status, message: refusal.message })
    : null;
  return ofTools === null ? others : [{ parameter: 'tools', lasting: ofTools === 'for_good' }];
}

/** Returns the timeout of a provider in milliseconds. Null if it sets none. */
function timeoutOf({ timeoutSeconds }: ProviderConfiguration): number | null {
  return timeoutSeconds == null ? null : timeoutSeconds * 1000;
}

/** Loads the files that a request sends. Returns null if one is no longer stored. */
async function filesFor(request: ModelRequest, load: ModelCallerOptions['loadFiles']): Promise<FileBytes | null> {
  const ids = [...new Set(filesOfRequest(request).map(({ file }) => file))];
  if (ids.length === 0 || request.model.model === TARGET_MODEL) return new Map();
  const files = (await load?.(ids)) ?? new Map();
  return ids.every((id) => files.has(id)) ? files : null;
}

const FILE_NOT_FOUND = {
  kind: 'bad_request' as const,
  message: 'A file of the case is not stored any more.',
  remedy: 'Upload the same file again on the page of a dataset, then resume the run.',
};

/** Monotonic clock: the latency of a call must not depend on changes of the system clock. */
function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}

type ModelOf = (configuration: ProviderConfiguration, model: string, role: TextRole) => Promise<ReachableModel>;

/** Creating a model takes longer than calling it, so models are cached per configuration object. */
function rememberedModels(practicePaceMs: number, fetch: typeof globalThis.fetch): ModelOf {
  const known = new WeakMap<ProviderConfiguration, Map<string, Promise<ReachableModel>>>();
  return (configuration, model, role) => {
    const models = known.get(configuration) ?? new Map<string, Promise<ReachableModel>>();
    known.set(configuration, models);
    const key = `${role} ${model}`;
    const target = models.get(key) ?? languageModel(configuration, model, { role, practicePaceMs, fetch });
    models.set(key, target);
    return target;
  };
}

type Billable = { input: number; output: number };
type Failed = Extract<AttemptOutcome, { ok: false }>;
/** `billable` has one entry for each attempt that may be billed although it returned no response. */
type Attempts = { last: Extract<AttemptOutcome, { ok: true }> | Failed; attempts: number; billable: Billable[] };
type Spent = { attempts: number; maybeBilled: MaybeBilled | null };
const NO_ATTEMPTS: Spent = { attempts: 0, maybeBilled: null };

function added(before: Attempts, after: Attempts): Attempts {
  return {
    last: after.last,
    attempts: before.attempts + after.attempts,
    billable: [...before.billable, ...after.billable],
  };
}

/**
 * Retries until there is a response, a retry cannot help, or `maxAttempts` is reached. A timeout is retried once, and only if nothing had
 * arrived, because each attempt may be billed.
 */
async function attemptRepeatedly(
  attemptCall: (onText: CallOptions['onText']) => Promise<AttemptOutcome>,
  { signal, onText }: CallOptions,
  { maxAttempts, sleep, now }: Required<Pick<ModelCallerOptions, 'maxAttempts' | 'sleep' | 'now'>>,
): Promise<Attempts> {
  let shown = false;
  let timeouts = 0;
  const billable: Billable[] = [];
  for (let attempts = 1; ; attempts++) {
    // Text already shown from a failed attempt cannot be withdrawn. The next attempt is therefore not streamed, and its text is shown at
    // the end.
    const muted = shown;
    const tried = await attemptCall(
      onText &&
        ((piece) => {
          if (muted || signal.aborted) return;
          shown = true;
          onText(piece);
        }),
    );
    if (!tried.ok && tried.billable !== null) billable.push(tried.billable);
    if (tried.ok || !tried.failed.again) return { last: tried, attempts, billable };
    if (tried.failed.kind === 'timeout') timeouts += 1;
    if (timeouts > MAX_TIMEOUTS) return { last: tried, attempts, billable };
    const requestedMs = requestedDelayMs(tried.error, now());
    if (isLongWait(requestedMs) || attempts >= maxAttempts)
      return { last: { ...tried, failed: withRetryTime(tried.failed, requestedMs, now()) }, attempts, billable };
    await sleep(requestedMs ?? Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1)), signal).catch(() => {});
    if (signal.aborted) return { last: { ...tried, failed: STOPPED }, attempts, billable };
  }
}

/** Adds the time from which calls are accepted again, if a provider requests a long wait or still limits the rate after all attempts. */
function withRetryTime(failed: FailedAttempt, requestedMs: number | null, nowMs: number): FailedAttempt {
  if (isLongWait(requestedMs))
    return {
      ...failed,
      remedy: remedyOfLongWait(failed, requestedMs, nowMs),
      retryAt: timeAfter(requestedMs, nowMs),
    };
  return failed.kind === 'rate_limited' ? { ...failed, retryAt: timeAfter(MAX_WAIT_MS, nowMs) } : failed;
}

function isLongWait(milliseconds: number | null): milliseconds is number {
  return milliseconds !== null && milliseconds > MAX_WAIT_MS;
}

function timeAfter(milliseconds: number, nowMs: number): string {
  return new Date(nowMs + milliseconds).toISOString();
}

function remedyOfLongWait({ kind }: FailedAttempt, waitMs: number, nowMs: number): string {
  // Rounded up, because a call before that time fails again. In the format that `withLocalMoments` converts on pages.
  const moment = new Date(Math.ceil((nowMs + waitMs) / 60_000) * 60_000);
  const [, day, month, year, time = ''] = moment.toUTCString().split(' ');
  const others = kind === 'rate_limited' ? ', choose another model, or raise the limit at the provider' : '';
  // Not "in 60 min", because the run page shows the stored sentence later.
  return `Requests are accepted again at ${Number(day)} ${month} ${year}, ${time.slice(0, 5)} UTC, ${formatWait(waitMs)} after this error. Resume the run then${others}.`;
}

function formatWait(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** Returns the possible cost of attempts without a response, or null if none may have been billed. */
function maybeBilledOf(
  { billable }: Attempts,
  configuration: ProviderConfiguration,
  model: string,
  at: Date,
): MaybeBilled | null {
  if (billable.length === 0) return null;
  const input = billable.reduce((sum, tokens) => sum + tokens.input, 0);
  const output = billable.reduce((sum, tokens) => sum + tokens.output, 0);
  return {
    tries: billable.length,
    input,
    output,
    costUsd: priceOf(configuration, model, { input, output, cached: 0 }, at),
  };
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal });
}

function outcomeOf(
  raw: RawResponse,
  request: ModelRequest,
  configuration: ProviderConfiguration,
  { attempts, maybeBilled, latencyMs, at }: Spent & { latencyMs: number; at: Date },
): ModelOutcome {
  const { model } = request.model;
  const costUsd = raw.costUsd === undefined ? priceOf(configuration, model, raw.tokenUsage, at) : raw.costUsd;
  const spent = withMaybeBilled(raw.tokenUsage, costUsd, maybeBilled);
  const refused = refusalOf(raw, request, configuration);
  if (refused !== null) return { ok: false, failure: { ...refused, status: null, attempts, latencyMs, ...spent } };
  const { tokenUsage: _usage, costUsd: _cost, ...reply } = raw;
  return { ok: true, reply: { ...reply, ...spent, latencyMs, attempts } };
}

/** Returns tokens and cost of a call, including attempts that may have been billed. */
function withMaybeBilled(
  { input, output }: Pick<TokenUsage, 'input' | 'output'>,
  costUsd: number | null,
  maybeBilled: MaybeBilled | null,
) {
  if (maybeBilled === null) return { tokenUsage: { input, output, total: input + output }, costUsd };
  const sum = { input: input + maybeBilled.input, output: output + maybeBilled.output };
  return {
    tokenUsage: { ...sum, total: sum.input + sum.output },
    costUsd: costUsd === null || maybeBilled.costUsd === null ? null : costUsd + maybeBilled.costUsd,
    maybeBilled,
  };
}

/**
 * Returns warnings about tools and parameters that were not sent as requested. A renamed limit is only reported when it is first detected.
 */
function warningsOf(
  request: ModelRequest,
  configuration: ProviderConfiguration,
  refused: ReadonlySet<RefusableParameter>,
  learnt: readonly NewRefusal[],
): string[] {
  const { provider, model } = request.model;
  const found = learnt.map(({ parameter }) => parameter).filter((parameter) => parameter !== 'tools');
  const parameters = new Set([...leftOutOf(request, configuration, refused), ...found]);
  return [
    ...(planCall(request, configuration, refused, false).toolsBy === 'prompt' ? [TOOLS_IN_TEXT] : []),
    ...[...parameters].map((parameter) => refusedParameterText(`${provider}/${model}`, parameter)),
  ];
}

function refusalOf(
  raw: RawResponse,
  { model: { model }, conversation }: ModelRequest,
  configuration: ProviderConfiguration,
): Pick<ModelFailure, 'kind' | 'message' | 'remedy'> | null {
  if (raw.finishReason === 'content-filter') {
    return {
      kind: 'refused',
      message: `"${model}" from ${serverLabel(configuration)} refused to answer (content filter).`,
      remedy: 'Word the task or the instructions differently, or choose another model.',
    };
  }
  // A response that contains only thinking has no answer.
  if (withoutThinking(raw.text).trim() !== '') return null;
  // An agent may call a tool without any text. If it does neither, its next turn tells it so.
  if (conversation !== undefined && (raw.finishReason !== 'length' || raw.toolCalls !== undefined)) return null;
  return {
    kind: 'empty',
    message: `"${model}" from ${serverLabel(configuration)} returned an empty response${raw.finishReason === 'length' ? ': it used up its tokens before the answer' : ''}.`,
    remedy:
      raw.finishReason === 'length'
        ? 'Allow it more output tokens, then resume the run.'
        : 'Resume the run, or choose another model.',
  };
}

function unknownProvider(name: string): Omit<FailedAttempt, 'again'> {
  return {
    kind: 'unknown_provider',
    message: `There is no provider named "${name}".`,
    remedy: 'Add it on the Models page, or choose another provider in the experiment.',
    status: null,
  };
}

function failedOutcome(
  { kind, message, remedy, status, retryAt }: Omit<FailedAttempt, 'again'>,
  { attempts, maybeBilled }: Spent,
  latencyMs: number,
): ModelOutcome {
  const spent = withMaybeBilled({ input: 0, output: 0 }, 0, maybeBilled);
  return {
    ok: false,
    failure: { kind, message, remedy, status, attempts, latencyMs, ...spent, ...(retryAt && { retryAt }) },
  };
}
