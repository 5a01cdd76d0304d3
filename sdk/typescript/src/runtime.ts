export type Signals = 'SIGINT' | 'SIGTERM';

/** The Node.js APIs that the SDK uses. Browsers have none of them. */
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

/** Returns an environment variable, or undefined if it is empty. */
export function environment(name: string): string | undefined {
  return nodeProcess?.env?.[name] || undefined;
}

/** Waits. Throws the reason of the signal if it is aborted. */
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
