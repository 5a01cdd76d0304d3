import type { Log } from '#lib/log/log.ts';
import { databaseErrorCode, errorReason, isFullDisk, isUnreachable } from './retry-while-unreachable.ts';

/** `log`: writes one line per minute of an outage instead of each error. `isAway`: true during an outage. */
export type Outages = { log: Log; isAway(): boolean; stop(): void };

const PROBE_MS = 1_000;
const REMINDER_MS = 60_000;
/** Time after which a client should repeat a request that failed because of an outage, in seconds. */
export const OUTAGE_RETRY_SECONDS = 5;

/**
 * Returns a log for which an outage of the database is one event: a line with the reason when it begins, one per minute, and one when it
 * ends. An error that may come from an outage starts `probe`, which fails if the database cannot be reached. If it succeeds, the error is
 * logged as usual. Errors of a full disk are one line per minute, and one when there were none for a minute.
 */
export function quietOutages(log: Log, probe: () => Promise<unknown>): Outages {
  let outage: { sinceMs: number; errors: number; remindAtMs: number } | null = null;
  let held: (() => void)[] = [];
  let isProbing = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let full: { hidden: number; remindAtMs: number } | null = null;
  let fullTimer: NodeJS.Timeout | undefined;

  function noteFullDisk(thrown: unknown): void {
    const nowMs = performance.now();
    full ??= { hidden: 0, remindAtMs: nowMs };
    if (nowMs < full.remindAtMs) full.hidden += 1;
    else {
      full.remindAtMs = nowMs + REMINDER_MS;
      const disk = databaseErrorCode(thrown) === '53100' ? 'the disk of the database' : 'a disk';
      log.error(`${disk} is full: ${errorReason(thrown)}. Free some space. Hone then continues without a restart`);
    }
    clearTimeout(fullTimer);
    fullTimer = setTimeout(endFullDisk, REMINDER_MS).unref();
  }

  function endFullDisk(): void {
    log.info(`no error of a full disk for ${seconds(REMINDER_MS)}. Errors not logged: ${full?.hidden ?? 0}`);
    full = null;
  }

  async function check(): Promise<void> {
    isProbing = true;
    const failure = await probe().then(
      () => null,
      (error: unknown) => ({ reason: errorReason(error) }),
    );
    isProbing = false;
    const lines = held;
    held = [];
    if (failure === null) {
      if (outage !== null) end();
      for (const write of lines) write();
      return;
    }
    noteOutage(failure.reason, lines.length);
    if (isStopped) return;
    timer = setTimeout(check, PROBE_MS).unref();
  }

  function noteOutage(reason: string, errors: number): void {
    const nowMs = performance.now();
    if (outage === null) {
      outage = { sinceMs: nowMs, errors, remindAtMs: nowMs + REMINDER_MS };
      log.error(`the database is unreachable: ${reason}. Runs keep their results and continue when it is back`);
      return;
    }
    outage.errors += errors;
    if (nowMs < outage.remindAtMs) return;
    outage.remindAtMs = nowMs + REMINDER_MS;
    log.error(`the database has been unreachable for ${seconds(nowMs - outage.sinceMs)}: ${reason}`);
  }

  function end(): void {
    if (outage === null) return;
    const { sinceMs, errors } = outage;
    outage = null;
    log.info(
      `the database is reachable again after ${seconds(performance.now() - sinceMs)}. Errors not logged: ${errors}`,
    );
  }

  return {
    log: {
      ...log,
      error: (line, thrown, facts) => {
        if (isStopped) return log.error(line, thrown, facts);
        if (isFullDisk(thrown)) return noteFullDisk(thrown);
        if (!isOutage(thrown)) return log.error(line, thrown, facts);
        if (outage !== null) outage.errors += 1;
        else held.push(() => log.error(line, thrown, facts));
        if (outage === null && !isProbing) void check();
      },
    },
    isAway: () => outage !== null,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(fullTimer);
    },
  };
}

/** Returns true if an error may come from an outage of the database. Errors of files, which have a path, do not. */
export function isOutage(thrown: unknown): boolean {
  return isUnreachable(thrown) && !(thrown instanceof Error && 'path' in thrown);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
