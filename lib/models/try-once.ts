import type { RawReply } from './ask-once.ts';
import { type FailedTry, failureOf } from './failure-of.ts';
import type { CallOptions } from './model-caller.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';

/** Asks a model once; throws what the AI SDK throws. */
export type Attempt = (options: CallOptions) => Promise<RawReply>;

/** `error` is what was thrown, for its headers. */
export type Try = { ok: true; reply: RawReply } | { ok: false; failed: FailedTry; error: unknown };

/** One try within its time limit, ended at once when the caller's signal fires, also where the provider's library would linger. */
export async function tryOnce(
  attempt: Attempt,
  options: CallOptions,
  context: { configuration: ProviderConfiguration; model: string; timeoutMs: number },
): Promise<Try> {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  let isTimeout = false;
  const end = () => {
    controller.abort(options.signal.reason);
    ended.reject(options.signal.reason);
  };
  const timer = setTimeout(() => {
    isTimeout = !options.signal.aborted;
    end();
  }, context.timeoutMs);
  try {
    options.signal.throwIfAborted();
    // Not AbortSignal.any: it takes several times as long to make.
    options.signal.addEventListener('abort', end, { once: true });
    const asked = attempt({ signal: controller.signal, onText: options.onText });
    return { ok: true, reply: await Promise.race([asked, ended.promise]) };
  } catch (error) {
    const cutOff = isTimeout ? 'timeout' : options.signal.aborted ? 'aborted' : null;
    return { ok: false, failed: failureOf(error, { ...context, cutOff }), error };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
  }
}
