import { LONGEST_STREAM, type ProviderConfiguration } from '../provider-configuration.ts';
import { type FailedTry, failureOf } from './failure-of.ts';
import type { CallOptions } from './model-caller.ts';
import type { RawReply } from './request-once.ts';
import { inTry, newTryContext, type TryContext } from './try-context.ts';

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
