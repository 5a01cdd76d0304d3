import { setTimeout as sleep } from 'node:timers/promises';
import { errorReason } from '#lib/database/retry-while-unreachable.ts';

type Close = () => Promise<void> | void;

/**
 * Stage of the shutdown in which a hook runs. `begin`: as soon as shutdown is requested, while requests still arrive. `streams`: when no
 * new requests arrive, for hooks that end otherwise endless responses. `close`: last.
 */
type ShutdownStage = 'begin' | 'streams' | 'close';
type Hook = { close: Close; stage: ShutdownStage };

declare global {
  // Shared between the starter and Next's bundles, which have separate module instances.
  var honeShutdown: Set<Hook> | undefined;
}

/**
 * Registers a hook that closes a resource at shutdown: an open stream, the worker or a pool. Hooks run in reverse order of registration, so
 * a resource is closed before its dependencies. Returns a function that removes the hook.
 */
export function onShutdown(close: Close, stage: ShutdownStage = 'close'): () => void {
  globalThis.honeShutdown ??= new Set();
  const hooks = globalThis.honeShutdown;
  const hook = { close, stage };
  hooks.add(hook);
  return () => hooks.delete(hook);
}

/**
 * Runs all hooks of one stage in sequence, and abandons those that exceed `limitMs` in total. Failures are reported and do not stop the
 * others. The last stage includes hooks left over from earlier stages.
 */
export async function runShutdownHooks(
  limitMs: number,
  log: (line: string) => void,
  stage: ShutdownStage = 'close',
): Promise<void> {
  const registered = globalThis.honeShutdown ?? new Set();
  const hooks = [...registered].filter((hook) => stage === 'close' || hook.stage === stage).reverse();
  for (const hook of hooks) registered.delete(hook);
  const closeAll = async () => {
    for (const { close } of hooks) {
      try {
        await close();
      } catch (error) {
        log(`while stopping: ${errorReason(error)}`);
      }
    }
  };
  await Promise.race([closeAll(), sleep(limitMs, undefined, { ref: false })]);
}
