import { setTimeout as sleep } from 'node:timers/promises';
import { getLog } from '#lib/log/log.ts';
import { startWorker } from './start-worker.ts';

const PAUSE_MS = 1000;

/**
 * Starts the worker, again and again while the database is away: Next would remember one failure for ever and answer every
 * request with it. Answers after the first attempt; until one succeeds the health check says that the worker is starting.
 */
export async function beginWorker(): Promise<void> {
  if (!(await attempt())) void tryOn();
}

async function tryOn(): Promise<void> {
  do await sleep(PAUSE_MS, undefined, { ref: false });
  while (!(await attempt()));
}

async function attempt(): Promise<boolean> {
  try {
    await startWorker();
    return true;
  } catch (error) {
    getLog().error('the worker could not start and is tried again', error);
    return false;
  }
}
