import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { dispatchJobs, type JobSource } from './dispatch-jobs.ts';

type Job = { id: number };

/** Creates a source in memory that records the requests it receives. */
function listSource(jobs: Job[]) {
  const asked = {
    fetches: [] as number[],
    completed: [] as number[][],
    failed: [] as number[],
    kept: [] as number[][],
  };
  const source: JobSource<Job> = {
    fetch: async (most) => {
      asked.fetches.push(most);
      return jobs.splice(0, most);
    },
    fetchLater: async () => [],
    complete: async (done) => void asked.completed.push(done.map(({ id }) => id)),
    fail: async (job) => void asked.failed.push(job.id),
    keepAlive: async (held) => void asked.kept.push(held.map(({ id }) => id)),
  };
  return { source, asked };
}

const jobsTo = (last: number) => Array.from({ length: last }, (_, position) => ({ id: position + 1 }));
const noError = (error: unknown) => expect.fail(String(error));

describe('dispatchJobs', () => {
  test('performs every job once, within the concurrency limit', async () => {
    const { source, asked } = listSource(jobsTo(50));
    const performed: number[] = [];
    let now = 0;
    let most = 0;
    const perform = async ({ id }: Job) => {
      most = Math.max(most, ++now);
      await sleep(id % 7);
      performed.push(id);
      now--;
    };
    const dispatcher = dispatchJobs(source, { slots: 4 }, perform, noError);
    await expect.poll(() => performed.length).toBe(50);
    await dispatcher.stop(1_000);
    expect(most).toBe(4);
    expect(performed.toSorted((one, other) => one - other)).toEqual(jobsTo(50).map(({ id }) => id));
    expect(asked.completed.flat()).toHaveLength(50);
  });

  test('starts the next job when a slot is freed, with at most twice as many jobs as slots', async () => {
    const { source, asked } = listSource(jobsTo(6));
    const saves: (() => void)[] = [];
    const perform = (_: Job, freeSlot: () => void) => {
      freeSlot();
      freeSlot();
      return new Promise<void>((resolve) => saves.push(resolve));
    };
    const dispatcher = dispatchJobs(source, { slots: 2 }, perform, noError);
    await expect.poll(() => saves.length).toBe(4);
    await sleep(30);
    expect([saves.length, dispatcher.busy()]).toEqual([4, 4]);
    saves[0]?.();
    saves[1]?.();
    await expect.poll(() => saves.length).toBe(6);
    for (const end of saves) end();
    await dispatcher.stop(1_000);
    expect(asked.completed.flat().toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('renews no heartbeats of short jobs, and those of long and waiting jobs within four seconds', async () => {
    const { source, asked } = listSource(jobsTo(40));
    const perform = ({ id }: Job) => sleep(id === 1 ? 4_300 : 100);
    const dispatcher = dispatchJobs(source, { slots: 2 }, perform, noError);
    await expect.poll(() => dispatcher.busy(), { timeout: 10_000 }).toBe(0);
    await dispatcher.stop(1_000);
    expect(asked.kept.slice(0, 1)).toEqual([[1]]);
    expect(asked.kept.flat().every((id) => id === 1)).toBe(true);

    const waiting = listSource(jobsTo(3));
    const other = dispatchJobs(waiting.source, { slots: 1, ahead: async () => 2 }, () => sleep(4_300), noError);
    await expect.poll(() => waiting.asked.kept.length, { timeout: 4_500 }).toBe(1);
    expect(waiting.asked.kept).toEqual([[1, 2, 3]]);
    await other.stop(1_000);
  });

  test('settles jobs that finish within a short interval together', async () => {
    const { source, asked } = listSource(jobsTo(30));
    const dispatcher = dispatchJobs(source, { slots: 10 }, async () => undefined, noError);
    await expect.poll(() => asked.completed.length, { timeout: 10_000 }).toBe(1);
    expect(asked.completed[0]).toHaveLength(30);
    await dispatcher.stop(1_000);
  });

  test('starts deferred jobs two seconds after the last other job ended, then all of them', async () => {
    const { source } = listSource(jobsTo(3));
    const later = [11, 12, 13, 14, 15].map((id) => ({ id }));
    const begun: { id: number; others: number; atMs: number }[] = [];
    let now = 0;
    const perform = async ({ id }: Job) => {
      begun.push({ id, others: now++, atMs: performance.now() });
      await sleep(5);
      now--;
    };
    const fetchLater = async (most: number) => later.splice(0, most);
    const dispatcher = dispatchJobs({ ...source, fetchLater }, { slots: 2 }, perform, noError);
    await expect.poll(() => begun.length, { timeout: 10_000 }).toBe(8);
    await dispatcher.stop(1_000);
    expect(begun.map(({ id }) => id)).toEqual([1, 2, 3, 11, 12, 13, 14, 15]);
    const [lastOther, firstDeferred, lastDeferred] = [begun[2], begun[3], begun[7]];
    expect(firstDeferred?.others).toBe(0);
    expect((firstDeferred?.atMs ?? 0) - (lastOther?.atMs ?? 0)).toBeGreaterThanOrEqual(2_000);
    expect((lastDeferred?.atMs ?? 0) - (firstDeferred?.atMs ?? 0)).toBeLessThan(1_500);
  });

  test('stops fetching from an empty source until woken', async () => {
    const jobs = jobsTo(3);
    const { source, asked } = listSource(jobs);
    const performed: number[] = [];
    const dispatcher = dispatchJobs(source, { slots: 4 }, async ({ id }) => void performed.push(id), noError);
    await expect.poll(() => performed.length).toBe(3);
    await sleep(30);
    expect(asked.fetches).toEqual([4]);
    jobs.push({ id: 4 });
    dispatcher.wake();
    await expect.poll(() => performed).toEqual([1, 2, 3, 4]);
    await dispatcher.stop(1_000);
  });

  test('prefetches jobs, refills at half, and returns jobs that were not started', async () => {
    const { source, asked } = listSource(jobsTo(20));
    const ends: (() => void)[] = [];
    const perform = () => new Promise<void>((resolve) => ends.push(resolve));
    const dispatcher = dispatchJobs(source, { slots: 2, ahead: async () => 4 }, perform, noError);
    await expect.poll(() => ends.length).toBe(2);
    expect(asked.fetches).toEqual([6]);
    ends[0]?.();
    await expect.poll(() => ends.length).toBe(3);
    expect(asked.fetches).toEqual([6]);
    ends[1]?.();
    await expect.poll(() => ends.length).toBe(4);
    await expect.poll(() => asked.fetches).toEqual([6, 2]);
    const stopped = dispatcher.stop(1_000);
    for (const end of ends) end();
    await stopped;
    expect(ends).toHaveLength(4);
    expect(asked.completed.flat().toSorted()).toEqual([1, 2, 3, 4]);
    expect(asked.failed).toEqual([5, 6, 7, 8]);
  });

  test('returns a job that throws and continues with the others', async () => {
    const { source, asked } = listSource(jobsTo(3));
    const perform = async ({ id }: Job) => {
      if (id === 2) throw new Error('no');
    };
    const dispatcher = dispatchJobs(source, { slots: 1 }, perform, noError);
    await expect.poll(() => asked.completed.flat(), { timeout: 10_000 }).toEqual([1, 3]);
    expect(asked.failed).toEqual([2]);
    await dispatcher.stop(1_000);
  });

  test('continues after the source was unreachable', async () => {
    const { source } = listSource(jobsTo(1));
    const errors: unknown[] = [];
    let fails = true;
    const flaky: JobSource<Job> = {
      ...source,
      fetch: async (most) => {
        if (!fails) return source.fetch(most);
        fails = false;
        throw new Error('away');
      },
    };
    const performed: number[] = [];
    const dispatcher = dispatchJobs(
      flaky,
      { slots: 1 },
      async ({ id }) => void performed.push(id),
      (error) => errors.push(error),
    );
    await expect.poll(() => errors.length).toBe(1);
    dispatcher.wake();
    await expect.poll(() => performed).toEqual([1]);
    await dispatcher.stop(1_000);
  });

  test('stop waits for running jobs, settles them and starts no others', async () => {
    const { source, asked } = listSource(jobsTo(2));
    const performed: number[] = [];
    const perform = async ({ id }: Job) => {
      await sleep(50);
      performed.push(id);
    };
    const dispatcher = dispatchJobs(source, { slots: 1 }, perform, noError);
    await expect.poll(() => asked.fetches.length).toBe(1);
    await dispatcher.stop(5_000);
    expect(performed).toEqual([1]);
    expect(asked.completed).toEqual([[1]]);
    expect(asked.failed).toEqual([]);
  });

  test('stop returns jobs that do not end in time', async () => {
    const { source, asked } = listSource(jobsTo(1));
    const dispatcher = dispatchJobs(source, { slots: 1 }, () => new Promise(() => undefined), noError);
    await expect.poll(() => asked.fetches.length).toBe(1);
    await dispatcher.stop(20);
    expect(asked.failed).toEqual([1]);
  });
});
