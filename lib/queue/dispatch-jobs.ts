/** The worker stops: what it was at is given back for another one to go on with, and is no failure. */
export class WorkerStops extends Error {
  override name = 'WorkerStops';

  constructor() {
    super('the worker stops');
  }
}

/** Where jobs come from and where they are settled. */
export type JobSource<Job> = {
  /** At most so many jobs, which are from now on this process's own. */
  fetch(most: number): Promise<Job[]>;
  /** The same of jobs that are only begun while nothing is at work. */
  fetchLater(most: number): Promise<Job[]>;
  complete(jobs: Job[]): Promise<unknown>;
  /** Gives a job back to be done again later. */
  fail(job: Job, error: unknown): Promise<unknown>;
  /** Says that these jobs are being worked on. */
  keepAlive(jobs: Job[]): Promise<unknown>;
};

export type Dispatcher = {
  /** How many jobs are at work. */
  busy(): number;
  /** There may be new jobs. */
  wake(): void;
  /** Fetches no more; those at work are given `limitMs` to end, then they are given back. */
  stop(limitMs: number): Promise<void>;
};

/** How long nothing is heard before the source is asked all the same: a wake can get lost. */
const POLL_MS = 20_000;
/** How long a source that could not be reached is left alone. */
const AWAY_MS = 2_000;
/** A job that is done waits at most this long to be settled together with others, in one commit. */
const SETTLE_MS = 2_000;
const KEEP_ALIVE_MS = 4_000;

/** `ahead`: how many jobs to hold ready for the slots that get free next. */
type DispatchOptions = { slots: number; ahead?: () => Promise<number> };

/**
 * Performs the source's jobs, at most `slots` at a time, until it is stopped. All free slots fetch together, and only when there
 * may be something to fetch; what is done is settled together. A job whose `perform` throws is given back at once.
 */
export function dispatchJobs<Job>(
  source: JobSource<Job>,
  { slots, ahead = async () => 0 }: DispatchOptions,
  perform: (job: Job) => Promise<void>,
  onError: (error: unknown) => void,
): Dispatcher {
  const atWork = new Set<Job>();
  let ready: Job[] = [];
  let mostReady = 0;
  const bell = createBell();
  let done: Job[] = [];
  let settleTimer: NodeJS.Timeout | null = null;
  let isDrained = false;
  let hasNoneForLater = false;
  let wakes = 0;
  let isStopping = false;

  const fetching = fetchOn();
  const keepAlive = setInterval(() => {
    if (atWork.size > 0) source.keepAlive([...atWork, ...ready]).catch(onError);
  }, KEEP_ALIVE_MS);

  async function fetchOn(): Promise<void> {
    while (!isStopping) {
      let waitMs = POLL_MS;
      try {
        // What a wake tells of may have come too late for the fetch.
        const wakesBefore = wakes;
        mostReady = await ahead();
        const wanted = slots - atWork.size + mostReady - ready.length;
        if (!isDrained && wanted > 0 && wanted >= mostReady / 2) {
          const jobs = await source.fetch(wanted);
          isDrained = jobs.length < wanted && wakes === wakesBefore;
          ready.push(...jobs);
          workOnReady();
        }
        if (!hasNoneForLater && atWork.size === 0 && !isStopping) {
          const jobs = await source.fetchLater(slots);
          hasNoneForLater = jobs.length < slots && wakes === wakesBefore;
          ready.push(...jobs);
          workOnReady();
        }
      } catch (error) {
        waitMs = AWAY_MS;
        onError(error);
      }
      if (!isStopping && (await bell.wait(waitMs)) === 'silence') lookAgain();
    }
    const unbegun = ready;
    ready = [];
    await Promise.all(unbegun.map((job) => giveBack(job, new WorkerStops())));
  }

  function lookAgain(): void {
    wakes++;
    isDrained = false;
    hasNoneForLater = false;
  }

  function workOnReady(): void {
    while (!isStopping && atWork.size < slots) {
      const job = ready.shift();
      if (job === undefined) return;
      void work(job);
    }
  }

  async function work(job: Job): Promise<void> {
    atWork.add(job);
    try {
      await perform(job);
      done.push(job);
      settleTimer ??= setTimeout(settle, SETTLE_MS);
    } catch (error) {
      await giveBack(job, error);
    } finally {
      atWork.delete(job);
      workOnReady();
      const isIdle = atWork.size === 0 && !hasNoneForLater;
      if (isStopping || isIdle || (!isDrained && ready.length <= mostReady / 2)) bell.ring();
    }
  }

  async function giveBack(job: Job, error: unknown): Promise<void> {
    await source.fail(job, error).catch(onError);
  }

  async function settle(): Promise<void> {
    if (settleTimer !== null) clearTimeout(settleTimer);
    settleTimer = null;
    const jobs = done;
    done = [];
    if (jobs.length > 0) await source.complete(jobs).catch(onError);
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
      await Promise.all([settle(), ...[...atWork].map((job) => giveBack(job, new WorkerStops()))]);
    },
  };
}

type Bell = { ring(): void; wait(limitMs: number): Promise<'rung' | 'silence'> };

/** A ring while nobody waits is heard by the next who does. */
function createBell(): Bell {
  let isRung = false;
  let hear = () => {};
  return {
    ring: () => {
      isRung = true;
      hear();
    },
    wait: (limitMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => answer('silence'), limitMs);
        const answer = (heard: 'rung' | 'silence') => {
          clearTimeout(timer);
          hear = () => {};
          isRung = false;
          resolve(heard);
        };
        hear = () => answer('rung');
        if (isRung) hear();
      }),
  };
}
