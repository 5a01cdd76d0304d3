export type Signals = 'SIGINT' | 'SIGTERM';

/** What the SDK uses of Node. Browsers have none of it. */
type NodeProcess = {
  env: Record<string, string | undefined>;
  pid: number;
  prependOnceListener(signal: Signals, listener: (signal: Signals) => void): void;
  off(signal: Signals, listener: (signal: Signals) => void): void;
  listenerCount(signal: Signals): number;
  kill(pid: number, signal: Signals): void;
  exit(code: number): void;
};

export const nodeProcess = (globalThis as { process?: NodeProcess }).process;

/** A variable of the environment. Undefined where it is empty. */
export function environment(name: string): string | undefined {
  return nodeProcess?.env?.[name] || undefined;
}

/** Waits. Throws the reason of the signal when it is aborted meanwhile. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
