import { setTimeout as sleep } from 'node:timers/promises';
import { type Result, succeed } from '#lib/core/problem.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts';
import { describeFullDisk } from './full-disk.ts';

/** An embedded PostgreSQL server that is restarted when it dies. */
type SupervisedPostgres = { connectionString: string; stop(): Promise<void> };

const RESTARTS_PER_MINUTE = 3;
const RESTART_PATIENCE_MS = 15_000;
/** Time between two attempts while the disk is full, in milliseconds. */
const FULL_DISK_PAUSE_MS = 2_000;

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
    if (exits.length > RESTARTS_PER_MINUTE && describeFullDisk(postgres.folder) === null)
      return onExit(`PostgreSQL died ${exits.length} times within a minute (${how})`);
    log(`PostgreSQL stopped unexpectedly (${how}). Restarting`);
    const again = await restart(options, postgres.folder);
    if (!again.ok)
      return signal.aborted
        ? undefined
        : onExit(`PostgreSQL died (${how}) and could not be started again. ${again.problem.message}`);
    postgres = again.value;
    log('PostgreSQL is running again');
  }
}

/**
 * Retries, because the dead server's last processes may briefly hold its shared memory. While the disk is full, retries without a time
 * limit, because Hone holds paid results that it could not save yet.
 */
async function restart(options: EmbeddedPostgresOptions, folder: string): Promise<Result<EmbeddedPostgres>> {
  const { signal, log } = options;
  let until = performance.now() + RESTART_PATIENCE_MS;
  let wasFull = false;
  for (;;) {
    const full = describeFullDisk(folder);
    if (full !== null) {
      if (!wasFull) log(`PostgreSQL can't start: ${full} Hone then continues without a restart`);
      until = performance.now() + RESTART_PATIENCE_MS;
    }
    wasFull = full !== null;
    const result = await startEmbeddedPostgres(options);
    if (result.ok || signal.aborted || performance.now() > until) return result;
    await sleep(wasFull ? FULL_DISK_PAUSE_MS : 300, undefined, { signal }).catch(() => undefined);
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
