import { setTimeout as sleep } from 'node:timers/promises';
import { type Result, succeed } from '#lib/core/problem.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts';

/** An embedded PostgreSQL server that is restarted when it dies. */
type SupervisedPostgres = { connectionString: string; stop(): Promise<void> };

const RESTARTS_PER_MINUTE = 3;
const RESTART_PATIENCE_MS = 15_000;

/** Starts and supervises the server. `onExit` is called once, with the reason, when the server cannot be kept running. */
export async function supervisePostgres(
  options: EmbeddedPostgresOptions,
  onExit: (reason: string) => void,
): Promise<Result<SupervisedPostgres>> {
  const first = await startEmbeddedPostgres(options);
  if (!first.ok) return first;
  const stopping = new AbortController();
  const watching = watch(first.value, { ...options, signal: stopping.signal }, onExit);
  const stop = async () => {
    stopping.abort();
    await watching;
  };
  return succeed({ connectionString: first.value.connectionString, stop });
}

/** Resolves when the last server has exited. */
async function watch(
  first: EmbeddedPostgres,
  options: EmbeddedPostgresOptions,
  onExit: (reason: string) => void,
): Promise<void> {
  const { signal, log } = options;
  let postgres = first;
  let exits: number[] = [];
  for (;;) {
    const stop = postgres.stop;
    const how = await Promise.race([postgres.ended, aborted(signal)]);
    if (how === null) return stop();
    exits = [...exits.filter((at) => at > performance.now() - 60_000), performance.now()];
    if (exits.length > RESTARTS_PER_MINUTE)
      return onExit(`PostgreSQL died ${exits.length} times within a minute (${how})`);
    log(`PostgreSQL stopped unexpectedly (${how}). Restarting`);
    const again = await restart(options);
    if (!again.ok)
      return signal.aborted
        ? undefined
        : onExit(`PostgreSQL died (${how}) and could not be started again. ${again.problem.message}`);
    postgres = again.value;
    log('PostgreSQL is running again');
  }
}

/** Retries, because the dead server's last processes may briefly hold its shared memory. */
async function restart(options: EmbeddedPostgresOptions): Promise<Result<EmbeddedPostgres>> {
  const until = performance.now() + RESTART_PATIENCE_MS;
  for (;;) {
    const result = await startEmbeddedPostgres(options);
    if (result.ok || options.signal.aborted || performance.now() > until) return result;
    await sleep(300);
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
