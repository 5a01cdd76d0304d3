import { setTimeout as sleep } from 'node:timers/promises';

type Close = () => Promise<void> | void;

/**
 * When in the end of a process something is done. `begin`: as soon as the end was asked for, while requests still come in. `streams`: when
 * no new ones come in any more, for what would keep answers open for ever. `close`: at last.
 */
type ShutdownStage = 'begin' | 'streams' | 'close';
type Hook = { close: Close; stage: ShutdownStage };

declare global {
  // Shared between the starter and Next's bundles, which are module instances of their own.
  var honeShutdown: Set<Hook> | undefined;
}

/**
 * Registers what must be closed when Hone ends: open streams, the worker, pools. Last registered is closed first, so a
 * thing is closed before what it was built on. Answers a function that takes the registration back.
 */
export function onShutdown(close: Close, stage: ShutdownStage = 'close'): () => void {
  globalThis.honeShutdown ??= new Set();
  const hooks = globalThis.honeShutdown;
  const hook = { close, stage };
  hooks.add(hook);
  return () => hooks.delete(hook);
}

/**
 * Closes all of one stage, one after another, and leaves what takes longer than `limitMs` together; failures are said and passed
 * over. The last stage takes along what is left of those before.
 */
export async function runShutdownHooks(
  limitMs: number,
  say: (line: string) => void,
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
        say(`while stopping: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  await Promise.race([closeAll(), sleep(limitMs, undefined, { ref: false })]);
}
