import { askOnce, type RawReply } from './ask-once.ts';
import { type FailedTry, failureOf } from './failure-of.ts';
import type { ReachableModel } from './language-model.ts';
import type { CallOptions, ModelRequest } from './model-caller.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';

/** `error` is what was thrown, for its headers. */
export type Try = { ok: true; reply: RawReply } | { ok: false; failed: FailedTry; error: unknown };

/** One try within its time limit, ended at once when the caller's signal fires, also where the provider's library would linger. */
export async function tryOnce(
  target: Extract<ReachableModel, { ok: true }>,
  request: ModelRequest,
  options: CallOptions,
  context: { configuration: ProviderConfiguration; timeoutMs: number },
): Promise<Try> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), context.timeoutMs);
  const signal = AbortSignal.any([options.signal, limit.signal]);
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', end, { once: true });
    const asked = askOnce(target, request, { signal, onText: options.onText });
    return { ok: true, reply: await Promise.race([asked, ended.promise]) };
  } catch (error) {
    const cutOff = options.signal.aborted ? 'aborted' : limit.signal.aborted ? 'timeout' : null;
    return { ok: false, failed: failureOf(error, { ...context, model: request.model.model, cutOff }), error };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
