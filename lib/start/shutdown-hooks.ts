import { setTimeout as sleep } from 'node:timers/promises';

type Close = () => Promise<void> | void;

declare global {
  // Shared between the starter and Next's bundles, which are module instances of their own.
  var honeShutdown: Set<Close> | undefined;
}

/**
 * Registers what must be closed when Hone ends: open streams, the worker, pools. Last registered is closed first, so a
 * thing is closed before what it was built on. Answers a function that takes the registration back.
 */
export function onShutdown(close: Close): () => void {
  globalThis.honeShutdown ??= new Set();
  const hooks = globalThis.honeShutdown;
  hooks.add(close);
  return () => hooks.delete(close);
}

/** Closes all, one after another, and leaves what takes longer than `limitMs` together; failures are said and passed over. */
export async function runShutdownHooks(limitMs: number, say: (line: string) => void): Promise<void> {
  const hooks = [...(globalThis.honeShutdown ?? [])].reverse();
  globalThis.honeShutdown?.clear();
  const closeAll = async () => {
    for (const close of hooks) {
      try {
        await close();
      } catch (error) {
        say(`while stopping: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  await Promise.race([closeAll(), sleep(limitMs, undefined, { ref: false })]);
}
