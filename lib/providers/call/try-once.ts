import { AsyncLocalStorage } from 'node:async_hooks';
import type { TokenUsage } from '#lib/core/token-usage.ts';
import { LONGEST_STREAM, type ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { type FailedTry, failureOf } from './failure-of.ts';
import type { CallOptions, ModelReply } from './model-caller.ts';

/** One reply as it came. `cached` are the input tokens the provider read from its cache. */
export type RawReply = {
  text: string;
  finishReason: string;
  tokenUsage: TokenUsage & { cached: number };
  warnings: string[];
  /** What it cost by the word of whoever answered; left out where the price list tells. */
  costUsd?: number | null;
} & Pick<ModelReply, 'tokenDetails' | 'toolCalls' | 'callsLeftOut' | 'thought'>;

/** What one try at a call changes in its request, and how far it has come. */
export type TryContext = {
  /** Top-level fields of the request's JSON body to rename (by a name) or to leave out (null). */
  bodyEdits: Readonly<Record<string, string | null>>;
  /** The whole request was handed to the network. */
  isSent: boolean;
  /** A response with a good status began. */
  isAnswered: boolean;
  /** Tokens of the request, estimated by its length. */
  inputTokens: number;
  /** Characters received so far: text, thinking and arguments of tools. */
  receivedLength: number;
};

/** The AI SDK gives `fetch` nothing of the call it belongs to. */
const tries = new AsyncLocalStorage<TryContext>();

function newTryContext(bodyEdits: TryContext['bodyEdits'] = {}): TryContext {
  return { bodyEdits, isSent: false, isAnswered: false, inputTokens: 0, receivedLength: 0 };
}

/** Performs a try; requests made meanwhile find its context by `currentTry`. */
function inTry<Value>(context: TryContext, work: () => Value): Value {
  return tries.run(context, work);
}

export function currentTry(): TryContext | undefined {
  return tries.getStore();
}

/** A request's JSON body with the try's changes; a body that is no JSON object is left alone. */
export function editedBody(body: string, edits: TryContext['bodyEdits']): string {
  if (Object.keys(edits).length === 0) return body;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return body;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return body;
  const edited = Object.entries(parsed).flatMap(([name, value]) => {
    if (!Object.hasOwn(edits, name)) return [[name, value]];
    const newName = edits[name];
    return newName === null || newName === undefined ? [] : [[newName, value]];
  });
  return JSON.stringify(Object.fromEntries(edited));
}

/** Asks a model once, telling each piece that arrives; throws what the AI SDK throws. */
export type Attempt = (options: CallOptions & { onPiece: () => void }) => Promise<RawReply>;

/**
 * `error` is what was thrown, for its headers. `billable` are the tokens that the provider may bill for a try that gave no reply, estimated;
 * null where it bills none.
 */
export type Try =
  | { ok: true; reply: RawReply }
  | { ok: false; failed: FailedTry; error: unknown; billable: { input: number; output: number } | null };

/**
 * One try within its time limit, ended at once when the caller's signal fires, also where the provider's library would linger. The limit
 * counts from the last piece that arrived; all in all a response may take `LONGEST_STREAM` times as long.
 */
export async function tryOnce(
  attempt: Attempt,
  options: CallOptions,
  context: {
    configuration: ProviderConfiguration;
    model: string;
    timeoutMs: number;
    bodyEdits?: TryContext['bodyEdits'];
    sendsFiles?: boolean;
  },
): Promise<Try> {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const progress = newTryContext(context.bodyEdits);
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
  const total = setTimeout(giveUp('endless'), context.timeoutMs * LONGEST_STREAM);
  let hasBegun = false;
  const onPiece = () => {
    hasBegun = true;
    idle.refresh();
  };
  try {
    options.signal.throwIfAborted();
    // Not AbortSignal.any: it takes several times as long to make.
    options.signal.addEventListener('abort', end, { once: true });
    const asked = inTry(progress, () => attempt({ signal: controller.signal, onText: options.onText, onPiece }));
    return { ok: true, reply: await Promise.race([asked, ended.promise]) };
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

/** A provider bills what it was asked and has answered, also where nobody waited for the end or the connection broke. */
function billableOf(
  failed: FailedTry,
  cutOff: 'aborted' | 'timeout' | null,
  { isSent, isAnswered, inputTokens, receivedLength }: TryContext,
): { input: number; output: number } | null {
  const isCut = failed.kind === 'network' || failed.kind === 'unavailable';
  const isBillable =
    cutOff !== null ? isSent : isCut && isAnswered && (failed.kind === 'network' || receivedLength > 0);
  return isBillable ? { input: inputTokens, output: Math.ceil(receivedLength / 4) } : null;
}
