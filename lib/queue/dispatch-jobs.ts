/** Thrown to return a job to the queue, for example because the worker stops. It does not count as failed and can start again at once. */
export class ReturnedJobError extends Error {
  override name = 'ReturnedJob';

  constructor() {
    super('the job is returned to the queue');
  }
}

/** Source of jobs that also settles them. */
export type JobSource<Job> = {
  /** Claims up to `most` jobs for this process and sets their heartbeats. */
  fetch(most: number): Promise<Job[]>;
  /** Like `fetch`, but for deferred jobs, which start only while no other job is running and none has just ended. */
  fetchLater(most: number): Promise<Job[]>;
  complete(jobs: Job[]): Promise<unknown>;
  /** Returns a job to the queue for a later retry. */
  fail(job: Job, error: unknown): Promise<unknown>;
  /** Renews the heartbeats of claimed jobs. */
  keepAlive(jobs: Job[]): Promise<unknown>;
};

export type Dispatcher = {
  /** Number of jobs being performed, including those that have freed their slot. */
  busy(): number;
  /** Signals that there may be new jobs. */
  wake(): void;
  /** Stops fetching jobs. Jobs being performed get `limitMs` to finish and are then returned to the queue. */
  stop(limitMs: number): Promise<void>;
};

/** Time without a wake after which the source is polled anyway, in milliseconds, because a wake can be lost. */
const POLL_MS = 20_000;
/** Delay before an unreachable source is tried again, in milliseconds. */
const AWAY_MS = 2_000;
/** Maximum time a finished job waits to be settled with others in one commit, in milliseconds. */
const SETTLE_MS = 2_000;
/** Age of a heartbeat at which it is renewed, in milliseconds. Many jobs end before. */
const KEEP_ALIVE_MS = 3_000;
/** Interval at which the ages of heartbeats are checked, in milliseconds. */
const KEEP_ALIVE_CHECK_MS = 1_000;
/** Time from the end of a job until deferred jobs start, in milliseconds. Often the next jobs follow the results of the last ones. */
const DEFERRAL_MS = 2_000;

/** `ahead` returns the number of jobs to prefetch for the next free slots. */
type DispatchOptions = { slots: number; ahead?: () => Promise<number> };

/**
 * Performs a job. It may call `freeSlot` when only its last save remains, so that the next job starts while the result is being saved. If
 * more remains after all, it throws `ReturnedJobError`.
 */
type Perform<Job> = (job: Job, freeSlot: () => void) => Promise<void>;

/**
 * Performs the source's jobs, at most `slots` at a time, until stopped. All free slots fetch together, and only when there may be jobs.
 * Finished jobs are settled in batches. A job whose `perform` throws is returned to the queue immediately.
 */
export function dispatchJobs<Job extends object>(
  source: JobSource<Job>,
  { slots, ahead = async () => 0 }: DispatchOptions,
  perform: Perform<Job>,
  onError: (error: unknown) => void,
): Dispatcher {
  const atWork = new Set<Job>();
  /** Jobs that have not freed their slot. */
  const inSlot = new Set<Job>();
  let ready: Job[] = [];
  let mostReady = 0;
  const bell = createWakeSignal();
  const finished = createSettleBatch<Job>((jobs) => source.complete(jobs).catch(onError));
  let isDrained = false;
  let hasNoneForLater = false;
  const deferred = new WeakSet<object>();
  const heartbeatAtMs = new WeakMap<Job, number>();
  let deferredFromMs = 0;
  let wakes = 0;
  let isStopping = false;

  const fetching = fetchOn();
  const keepAlive = setInterval(() => {
    if (atWork.size > 0) renewHeartbeats([...atWork, ...ready]);
  }, KEEP_ALIVE_CHECK_MS);

  function renewHeartbeats(jobs: Job[]): void {
    const now = performance.now();
    const olderThan = (ms: number) => (job: Job) => now - (heartbeatAtMs.get(job) ?? 0) >= ms;
    if (!jobs.some(olderThan(KEEP_ALIVE_MS))) return;
    // Those that are due soon are renewed with them, in one statement.
    const renewed = jobs.filter(olderThan(KEEP_ALIVE_MS / 2));
    for (const job of renewed) heartbeatAtMs.set(job, now);
    source.keepAlive(renewed).catch(onError);
  }

  /** Claims jobs, which sets their heartbeats. */
  async function claim(fetch: (most: number) => Promise<Job[]>, most: number): Promise<Job[]> {
    const now = performance.now();
    const jobs = await fetch(most);
    for (const job of jobs) heartbeatAtMs.set(job, now);
    return jobs;
  }

  async function fetchOn(): Promise<void> {
    while (!isStopping) {
      let waitMs: number;
      try {
        await fetchReady();
        waitMs = await fetchDeferred();
      } catch (error) {
        waitMs = AWAY_MS;
        onError(error);
      }
      if (!isStopping && (await bell.wait(waitMs)) === 'silence') lookAgain();
    }
    const unbegun = ready;
    ready = [];
    await Promise.all(unbegun.map((job) => giveBack(job, new ReturnedJobError())));
  }

  async function fetchReady(): Promise<void> {
    // The job behind a wake may have arrived too late for this fetch.
    const wakesBefore = wakes;
    mostReady = await ahead();
    const wanted = slots - inSlot.size + mostReady - ready.length;
    if (isDrained || wanted <= 0 || wanted < mostReady / 2) return;
    const jobs = await claim(source.fetch, wanted);
    isDrained = jobs.length < wanted && wakes === wakesBefore;
    ready.push(...jobs);
    workOnReady();
  }

  /** Fetches deferred jobs if they may start. Returns the time until the next fetch, in milliseconds. */
  async function fetchDeferred(): Promise<number> {
    if (hasNoneForLater || atWork.size > 0 || isStopping) return POLL_MS;
    const restMs = deferredFromMs - performance.now();
    if (restMs > 0) return Math.ceil(restMs);
    const wakesBefore = wakes;
    const jobs = await claim(source.fetchLater, slots);
    hasNoneForLater = jobs.length < slots && wakes === wakesBefore;
    for (const job of jobs) deferred.add(job);
    ready.push(...jobs);
    workOnReady();
    return POLL_MS;
  }

  function lookAgain(): void {
    wakes++;
    isDrained = false;
    hasNoneForLater = false;
  }

  function workOnReady(): void {
    // While the database is away, jobs without a slot wait for their last save. The second limit bounds their number.
    while (!isStopping && inSlot.size < slots && atWork.size < 2 * slots) {
      const job = ready.shift();
      if (job === undefined) return;
      void work(job);
    }
  }

  async function work(job: Job): Promise<void> {
    atWork.add(job);
    inSlot.add(job);
    const freeSlot = () => {
      inSlot.delete(job);
      workOnReady();
      if (!isDrained && ready.length <= mostReady / 2) bell.ring();
    };
    try {
      await perform(job, freeSlot);
      finished.add(job);
    } catch (error) {
      await giveBack(job, error);
    } finally {
      atWork.delete(job);
      if (!deferred.has(job)) deferredFromMs = performance.now() + DEFERRAL_MS;
      freeSlot();
      if (isStopping || (atWork.size === 0 && !hasNoneForLater)) bell.ring();
    }
  }

  async function giveBack(job: Job, error: unknown): Promise<void> {
    await source.fail(job, error).catch(onError);
  }

  return {
    busy: () => atWork.size,
    wake: () => {
      lookAgain();
      bell.ring();
    },
    stop: async (limitMs) => {
      isStopping = true;
      bell.ring();
      await fetching;
      const until = performance.now() + limitMs;
      while (atWork.size > 0 && performance.now() < until) await bell.wait(until - performance.now());
      clearInterval(keepAlive);
      await Promise.all([finished.settle(), ...[...atWork].map((job) => giveBack(job, new ReturnedJobError()))]);
    },
  };
}

/** Collects finished jobs, to settle them together within `SETTLE_MS`. */
function createSettleBatch<Job>(complete: (jobs: Job[]) => Promise<unknown>) {
  let jobs: Job[] = [];
  let timer: NodeJS.Timeout | null = null;
  async function settle(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const settled = jobs;
    jobs = [];
    if (settled.length > 0) await complete(settled);
  }
  return {
    add: (job: Job): void => {
      jobs.push(job);
      timer ??= setTimeout(settle, SETTLE_MS);
    },
    settle,
  };
}

type WakeSignal = { ring(): void; wait(limitMs: number): Promise<'rung' | 'silence'> };

/** Creates a bell that stores a ring for the next waiter if nobody is waiting. */
function createWakeSignal(): WakeSignal {
  let isRung = false;
  let wake = () => {};
  return {
    ring: () => {
      isRung = true;
      wake();
    },
    wait: (limitMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => answer('silence'), limitMs);
        const answer = (outcome: 'rung' | 'silence') => {
          clearTimeout(timer);
          wake = () => {};
          isRung = false;
          resolve(outcome);
        };
        wake = () => answer('rung');
        if (isRung) wake();
      }),
  };
}
