import { setTimeout as delay } from 'node:timers/promises';
import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider';
import type { MaybeBilled, TextRole } from '#lib/core/model-request.ts';
import { withoutThinking } from '#lib/core/responses.ts';
import { TARGET_MODEL } from '#lib/core/targets/target-model.ts';
import type { TokenUsage } from '#lib/core/token-usage.ts';
import { retryAfterMs } from '#lib/outgoing/guarded-fetch.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import type { NoteKey } from '#lib/providers/key-state.ts';
import {
  embeddingModel,
  givenModel,
  languageModel,
  type ReachableModel,
  type Unreachable,
} from '#lib/providers/language-model.ts';
import { priceOf } from '#lib/providers/list-price.ts';
import { DEFAULT_TIMEOUT_SECONDS, type ProviderConfiguration, placeOf } from '#lib/providers/provider-configuration.ts';
import {
  REFUSABLE_PARAMETERS,
  type RefusableParameter,
  refusedParameterText,
} from '#lib/providers/refused-parameter-record.ts';
import { callSpan, callSpanEnd } from '../tracing/call-span.ts';
import { traced } from '../tracing/traced.ts';
import { type CallPlan, leftOutOf, planCall } from './call-plan.ts';
import { type FileBytes, filesOfRequest } from './chat-messages.ts';
import { errorMessage, type FailedTry, namedParameter, STOPPED } from './failure-of.ts';
import type { CallOptions, CallOrigin, ModelCaller, ModelFailure, ModelOutcome, ModelRequest } from './model-caller.ts';
import { modelFetch } from './model-fetch.ts';
import { promptAnswer } from './prompt-answer.ts';
import { piecesWithoutKey, secretsOf, withoutKey } from './redact-secrets.ts';
import {
  type NewRefusal,
  type Refused,
  type RememberRefused,
  refusalMemory,
  refusedParameters,
} from './refused-parameters.ts';
import { repairReply } from './repair-reply.ts';
import { embedOnce, requestOnce } from './request-once.ts';
import { refusesAllTools, TOOLS_IN_TEXT, toolsRefusal } from './text-tools.ts';
import { type Attempt, type RawReply, type Try, tryOnce } from './try-once.ts';

/** Asks a target once, by `fetch` where it has an address. */
export type CallTarget = (
  call: { configuration: ProviderConfiguration; request: ModelRequest; origin: CallOrigin | null; fetch: typeof fetch },
  options: Parameters<Attempt>[0],
) => ReturnType<Attempt>;

export type ModelCallerOptions = {
  /** The provider of that name with its key opened; null when there is none. */
  resolveProvider: (name: string) => Promise<ProviderConfiguration | null>;
  /** Where providers may be besides public addresses: each is checked as it is connected to. */
  addresses: AddressRules;
  resolve?: Resolve;
  /** Time limit of one try where its provider has none, in milliseconds (300,000). */
  timeoutMs?: number;
  /**
   * Tries of one call, the first included (4). Those that only found out which parameters a model refuses do not count: each has as many
   * tries after it.
   */
  maxAttempts?: number;
  /** Keeps for good which parameters a model refuses; without it they are kept as long as the caller. */
  rememberRefused?: RememberRefused;
  /** Is told of each outcome, for what it says of the provider's key. */
  noteKey?: NoteKey;
  /** The model to ask in place of one that is made from the provider's configuration; null where there is none. */
  givenModel?: (provider: string, model: string) => LanguageModelV4 | null;
  /** The bytes of stored files by their ids; those that are gone are left out. */
  loadFiles?: (ids: readonly string[]) => Promise<FileBytes>;
  /** How targets are asked; without it there are none. */
  callTarget?: CallTarget;
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
  /** Pause between the words of a streamed practice reply, in milliseconds (10). */
  practicePaceMs?: number;
};

const MAX_REPLY_BYTES = 64_000_000;
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
/** Time-outs of one call after which it is tried again. */
const MOST_TIMEOUTS = 1;

/**
 * The function that asks models. It tries again after 409, 429, 5xx and network errors, and once after a time-out, waiting 1, 2, 4 … s or
 * as long as the provider asks (more than 60 s is a failure that says when). A parameter that the model refuses is left out or replaced,
 * and not sent again. What a provider does is an outcome, never a throw.
 */
export function createModelCaller(options: ModelCallerOptions): ModelCaller {
  const now = options.now ?? steadyNow;
  // Providers name moments by the wall clock; how long something took is measured by the steady one.
  const wallNow = options.now ?? Date.now;
  const fetch = modelFetch(options.addresses, MAX_REPLY_BYTES, options.resolve);
  const remembered = rememberedModels(options.practicePaceMs ?? 10, fetch);
  const modelOf: ModelOf = async (configuration, model, role) => {
    const given = options.givenModel?.(configuration.name, model) ?? null;
    return given === null ? remembered(configuration, model, role) : givenModel(configuration, given);
  };
  const memory = refusalMemory(options.rememberRefused);
  const ask: Ask = async (request, configuration, { signal, onText, origin }) => {
    const startedAtMs = now();
    const { model } = request.model;
    const files = await filesFor(request, options.loadFiles);
    if (files === null) return failedOutcome({ ...FILE_GONE, status: null }, NO_TRIES, 0);
    const ofTarget = options.callTarget;
    const target =
      configuration.kind === 'target' && model === TARGET_MODEL && ofTarget !== undefined
        ? {
            ok: true as const,
            attempt: (_plan: CallPlan, asked: Parameters<Attempt>[0]) =>
              ofTarget({ configuration, request, origin: origin ?? null, fetch }, asked),
          }
        : await attemptAt(request, configuration, { modelOf, fetch, files });
    if (!target.ok) return failedOutcome({ ...target, status: null }, NO_TRIES, 0);

    const timeoutMs =
      (configuration.timeoutSeconds ?? null) === null
        ? (options.timeoutMs ?? DEFAULT_TIMEOUT_SECONDS * 1000)
        : Number(configuration.timeoutSeconds) * 1000;
    const tryBy = (plan: CallPlan) =>
      tryRepeatedly(
        async (onTextOfTry) => {
          const asked = { signal, onText: onTextOfTry };
          const context = { configuration, model, timeoutMs, bodyEdits: plan.bodyEdits, sendsFiles: files.size > 0 };
          const tried = await tryOnce((once) => target.attempt(plan, once), asked, context);
          const isInVain = !tried.ok && refusedBy(tried, plan).some(({ lasting }) => lasting);
          return isInVain ? { ...tried, failed: { ...tried.failed, again: false } } : tried;
        },
        { signal, onText },
        { maxAttempts: options.maxAttempts ?? 4, sleep: options.sleep ?? wait, now: wallNow },
      );
    const refused = memory.of(configuration, model);
    const learnt: NewRefusal[] = [];
    let tries = await tryBy(planCall(request, configuration, refused, onText !== null));
    // Each time something less is sent, so there is an end to it.
    for (let step = 0; step < REFUSABLE_PARAMETERS.length && !tries.last.ok; step++) {
      const found = refusedBy(tries.last, planCall(request, configuration, refused, onText !== null));
      if (found.length === 0) break;
      const { message } = tries.last.failed;
      const words = errorMessage(tries.last.error);
      for (const { parameter, lasting } of found) {
        refused.add(parameter);
        const isOfModel = !isOwn(parameter, request) || (parameter === 'tools' && refusesAllTools(request, words));
        if (lasting && isOfModel) learnt.push({ parameter, message });
      }
      tries = added(tries, await tryBy(planCall(request, configuration, refused, onText !== null)));
    }
    const { last } = tries;
    // Where leaving it out did not help, it was not refused.
    if (learnt.length > 0 && (last.ok || last.failed.kind !== 'bad_request'))
      await memory.remember(configuration, model, learnt);
    const latencyMs = Math.max(0, Math.round(now() - startedAtMs));
    const spent = { ...tries, maybeBilled: maybeBilledOf(tries, configuration, model, new Date(now())) };
    if (!last.ok) return failedOutcome(last.failed, spent, latencyMs);
    const warnings = [
      ...(planCall(request, configuration, refused, false).toolsBy === 'prompt' ? [TOOLS_IN_TEXT] : []),
      ...warningsOf(request, configuration, refused, learnt),
    ];
    const repaired = repairReply(last.reply, request);
    const reply = { ...promptAnswer(repaired, request), warnings: [...repaired.warnings, ...warnings] };
    return outcomeOf(reply, request, configuration, { ...spent, latencyMs, at: new Date(now()) });

    /** What of the plan's parameters a try failed because of. */
    function refusedBy({ failed, error }: Extract<Try, { ok: false }>, plan: CallPlan): Refused[] {
      const said = { status: failed.status, words: errorMessage(error), named: namedParameter(error), sent: plan.sent };
      const others = refusedParameters(said);
      const own = others.filter(({ parameter }) => isOwn(parameter, request));
      if (own.length > 0) return own;
      const isOfOwnTools = plan.sent.has('tools') && isOwn('tools', request);
      if (others.length > 0 && !isOfOwnTools) return others;
      const ofTools = plan.sent.has('tools')
        ? toolsRefusal(request, { status: failed.status, message: said.words })
        : null;
      return ofTools === null ? others : [{ parameter: 'tools', lasting: ofTools === 'for_good' }];
    }
  };
  return async (request, { signal, onText, origin }) => {
    const configuration = await options.resolveProvider(request.model.provider);
    if (configuration === null) return failedOutcome(unknownProvider(request.model.provider), NO_TRIES, 0);
    const { apiKey } = configuration;
    const secrets = secretsOf(configuration);
    const shown = { signal, onText: secrets.reduce(piecesWithoutKey, onText), ...(origin && { origin }) };
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

/**
 * Whether a parameter holds what a person wrote: a response schema, or tools of a prompt. A refusal of it does not apply to other
 * requests, unless it refuses all tools. Its message may contain members of that schema, such as "temperature".
 */
function isOwn(parameter: RefusableParameter, { tools, output }: ModelRequest): boolean {
  if (parameter === 'tools') return tools !== undefined;
  return parameter === 'response_format' && output?.jsonSchema !== undefined;
}

type Ask = (request: ModelRequest, configuration: ProviderConfiguration, options: CallOptions) => Promise<ModelOutcome>;

/** How a request is tried: embeddings are asked for in their own way. */
async function attemptAt(
  request: ModelRequest,
  configuration: ProviderConfiguration,
  { modelOf, fetch, files }: { modelOf: ModelOf; fetch: typeof globalThis.fetch; files: FileBytes },
): Promise<
  { ok: true; attempt: (plan: CallPlan, options: Parameters<Attempt>[0]) => ReturnType<Attempt> } | Unreachable
> {
  const { model } = request.model;
  if (request.role === 'embed') {
    const target = await embeddingModel(configuration, model, fetch);
    return target.ok ? { ok: true, attempt: (_plan, options) => embedOnce(target.model, request, options) } : target;
  }
  const target = await modelOf(configuration, model, request.conversation === undefined ? request.role : 'turn');
  return target.ok ? { ok: true, attempt: (plan, options) => requestOnce(target, plan, options, files) } : target;
}

/** The files that a request sends; null if one of them is not stored any more. */
async function filesFor(request: ModelRequest, load: ModelCallerOptions['loadFiles']): Promise<FileBytes | null> {
  const ids = [...new Set(filesOfRequest(request).map(({ file }) => file))];
  if (ids.length === 0 || request.model.model === TARGET_MODEL) return new Map();
  const files = (await load?.(ids)) ?? new Map();
  return ids.every((id) => files.has(id)) ? files : null;
}

const FILE_GONE = {
  kind: 'bad_request' as const,
  message: 'A file of the case is not stored any more.',
  remedy: 'Upload the same file again on the page of a dataset, then resume the run.',
};

/** Counts on evenly when the system's clock is set: what a call took must not depend on that. */
function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}

type ModelOf = (configuration: ProviderConfiguration, model: string, role: TextRole) => Promise<ReachableModel>;

/** Making a model takes longer than asking it, so it is kept for as long as its provider's configuration is the same object. */
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
type Failed = Extract<Try, { ok: false }>;
/** `billable`: one for each try that the provider may have billed without a reply. */
type Tries = { last: Extract<Try, { ok: true }> | Failed; attempts: number; billable: Billable[] };
type Spent = { attempts: number; maybeBilled: MaybeBilled | null };
const NO_TRIES: Spent = { attempts: 0, maybeBilled: null };

function added(before: Tries, after: Tries): Tries {
  return {
    last: after.last,
    attempts: before.attempts + after.attempts,
    billable: [...before.billable, ...after.billable],
  };
}

/**
 * Tries until there is a reply, nothing is left to try, or `maxAttempts` are used up. A time-out is tried once more, and only where
 * nothing had arrived: each try may be billed.
 */
async function tryRepeatedly(
  attemptCall: (onText: CallOptions['onText']) => Promise<Try>,
  { signal, onText }: CallOptions,
  { maxAttempts, sleep, now }: Required<Pick<ModelCallerOptions, 'maxAttempts' | 'sleep' | 'now'>>,
): Promise<Tries> {
  let shown = false;
  let timeouts = 0;
  const billable: Billable[] = [];
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
    if (!tried.ok && tried.billable !== null) billable.push(tried.billable);
    if (tried.ok || !tried.failed.again) return { last: tried, attempts, billable };
    if (tried.failed.kind === 'timeout') timeouts += 1;
    if (timeouts > MOST_TIMEOUTS) return { last: tried, attempts, billable };
    const asked = APICallError.isInstance(tried.error) ? retryAfterMs(tried.error.responseHeaders, now()) : null;
    if (asked !== null && asked > LONGEST_WAIT_MS) {
      const remedy = `The provider asked to wait until ${new Date(now() + asked).toISOString().slice(0, 16).replace('T', ' ')} UTC. Resume the run then.`;
      return { last: { ...tried, failed: { ...tried.failed, remedy } }, attempts, billable };
    }
    if (attempts >= maxAttempts) return { last: tried, attempts, billable };
    await sleep(asked ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1)), signal).catch(() => {});
    if (signal.aborted) return { last: { ...tried, failed: STOPPED }, attempts, billable };
  }
}

/** What tries that gave no reply may have cost; null where none may have been billed. */
function maybeBilledOf(
  { billable }: Tries,
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
  raw: RawReply,
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

/** Tokens and cost of a call with those of its tries that may have been billed. */
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

/** What a reply says of parameters that were not sent as they were asked for; of a new name of the limit only when it is found out. */
function warningsOf(
  request: ModelRequest,
  configuration: ProviderConfiguration,
  refused: ReadonlySet<RefusableParameter>,
  learnt: readonly NewRefusal[],
): string[] {
  const { provider, model } = request.model;
  const found = learnt.map(({ parameter }) => parameter).filter((parameter) => parameter !== 'tools');
  const told = new Set([...leftOutOf(request, configuration, refused), ...found]);
  return [...told].map((parameter) => refusedParameterText(`${provider}/${model}`, parameter));
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
    message: `"${model}" from ${placeOf(configuration)} returned an empty response${raw.finishReason === 'length' ? ': it used up its tokens before the answer' : ''}.`,
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
  { attempts, maybeBilled }: Spent,
  latencyMs: number,
): ModelOutcome {
  const spent = withMaybeBilled({ input: 0, output: 0 }, 0, maybeBilled);
  return { ok: false, failure: { kind, message, remedy, status, attempts, latencyMs, ...spent } };
}
