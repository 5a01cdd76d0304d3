import { setTimeout as sleep } from 'node:timers/promises';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { batchSchema, callsSchema, runSchema, runsSchema } from '#lib/api/runs-schema.ts';
import { withClient } from '#lib/database/connections.ts';
import { type Api, openApi } from '../api/open-api.ts';
import { learningTasks, startLearningBatch } from '../faults/learning-batch.ts';
import { expectedCurve, type LearningTask, startLearningProvider } from '../faults/learning-provider.ts';
import { countRepeats, findFaults, keptBeyond } from './find-faults.ts';
import { type Fleet, type Member, startFleet } from './fleet.ts';
import { startLedger } from './ledger.ts';
import { startReviewers } from './reviewers.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { startSharedPostgres } from './shared-postgres.ts';

export type SoakPlan = {
  seed: number;
  /** Number of learning runs on a fake provider, and of runs that ask for a decision at every version, while processes are killed. */
  learning: number;
  asking: number;
  /** Number of learning runs during the graceful rolling restart. */
  rolling: number;
  latencyMs: number;
  /** Number of kills and the approximate delay between two. The kills listed in `postgresAt` also kill PostgreSQL. */
  kills: number;
  killEveryMs: number;
  postgresAt: readonly number[];
  people: number;
  /** Number of clients that write experiments, settings, cases and lessons, and record acknowledged writes. */
  writers: number;
  /** Time limit for all runs to end after the last kill. */
  endWithinMs: number;
};

export type SoakReport = {
  faults: string[];
  killed: string[];
  runs: number;
  /** Number of runs that Hone gave up because several kills hit the same step, and that the test resumed. */
  resumed: number;
  decisions: number;
  /** Number of acknowledged writes other than decisions. */
  writes: number;
  calls: number;
  repeats: { total: number; most: number; allowed: number };
  rollingRepeats: number;
  mostAtOnce: number;
};

const SLOTS = 4;
const WORKERS = 3;
/** Lower than the total of all slots, so that the limit takes effect. */
const MOST_AT_ONCE = 9;
const MAX_ATTEMPTS = 5;

/**
 * Runs three workers and two web processes on one PostgreSQL with simulated reviewers, kills processes and PostgreSQL at intervals, then
 * restarts all gracefully under load. Returns the inconsistencies.
 */
export async function performSoak(plan: SoakPlan, log: (line: string) => void = () => undefined): Promise<SoakReport> {
  const random = seededRandom(plan.seed);
  const all = learningTasks(plan.learning + plan.rolling);
  const tasks = all.slice(0, plan.learning);
  const postgres = await startSharedPostgres(log);
  const provider = await startLearningProvider(all, () => plan.latencyMs * (0.5 + random.next()));
  const { connectionString } = postgres;
  const fleet = await startFleet({ connectionString, webs: 2, workers: WORKERS, slots: SLOTS });
  log('the fleet is ready');
  try {
    const api = apiOf(fleet.webs[0]);
    const batchId = await startLearningBatch(api, provider, tasks, { maxConcurrency: MOST_AT_ONCE });
    await startWaitingRuns(api, plan.asking);
    const people = startReviewers(fleet.webs, plan.people, random);
    const ledger = startLedger(fleet.webs, plan.writers, random);
    const killed = await killNowAndThen(fleet, postgres, plan, random, log);
    await ledger.stop();
    const { open, resumed } = await endAll(apiOf(fleet.webs[0]), connectionString, plan.endWithinMs, log);
    await people.stop();
    const repeats = countRepeats(provider);
    const faults = await findFaults(connectionString, people.acknowledged, ledger.written);
    faults.push(...(await curveFaults(apiOf(fleet.webs[1]), batchId, tasks)));
    const beyond = await keptBeyond(connectionString, provider);
    if (beyond > 0) faults.push(`${beyond} more calls are kept than the provider was asked`);
    const allowed = killed.reduce((sum, name) => sum + slotsHitBy(name), 0);
    if (repeats.total > allowed) faults.push(`${repeats.total} calls were repeated, ${allowed} may be`);
    if (repeats.most > killed.length) faults.push(`one call was repeated ${repeats.most} times`);

    let rollingRepeats = 0;
    if (open !== 0) faults.push(`${open} runs did not end within ${plan.endWithinMs / 1000} s; nothing was restarted`);
    else if (plan.rolling > 0) {
      const from = provider.calls.length;
      const restarting = { fleet, batchId, tasks: all.slice(plan.learning), endWithinMs: plan.endWithinMs };
      faults.push(...(await restartAll(restarting, connectionString, log)));
      const repeated = countRepeats(provider, from);
      rollingRepeats = repeated.total;
      if (rollingRepeats > 0)
        faults.push(`${rollingRepeats} calls were repeated by restarts in good order: ${repeated.prompts.join('; ')}`);
      if (provider.calls.length === from) faults.push('nothing was asked during the restarts');
      faults.push(...(await findFaults(connectionString, people.acknowledged, ledger.written)));
    }
    const mostAtOnce = provider.open().most;
    if (mostAtOnce > MOST_AT_ONCE) faults.push(`${mostAtOnce} calls were open at once, ${MOST_AT_ONCE} may be`);
    return {
      faults,
      killed,
      runs: plan.learning + plan.asking + plan.rolling,
      resumed,
      decisions: people.acknowledged.decisions.length,
      writes: ledger.written.length,
      calls: provider.calls.length,
      repeats: { total: repeats.total, most: repeats.most, allowed },
      rollingRepeats,
      mostAtOnce,
    };
  } finally {
    await fleet.stop();
    await provider.stop();
    await postgres.stop();
  }
}

function apiOf(member: Member | undefined): Api {
  if (member === undefined) throw new Error('there is no such process');
  return openApi(`http://127.0.0.1:${member.port}`);
}

/** Starts runs on the practice model that wait for a person at every version. */
async function startWaitingRuns(api: Api, count: number): Promise<void> {
  if (count === 0) return;
  const experimentId = await api.createExperiment({
    callbacks: { pause: 'always' },
    maxIterations: 3,
    convergence: null,
  });
  const cases = Array.from({ length: count }, (_, number) => ({ input: `Explain how machine ${number} works.` }));
  await api.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, { cases });
}

/** Kills processes at intervals and returns their names in order. Each is running again before its next kill. */
async function killNowAndThen(
  fleet: Fleet,
  postgres: { kill(): void },
  { kills, killEveryMs, postgresAt }: SoakPlan,
  random: SeededRandom,
  log: (line: string) => void,
): Promise<string[]> {
  const killed: string[] = [];
  const restarting = new Map<Member, Promise<void>>();
  let kill = 1;
  while (kill <= kills) {
    await sleep(killEveryMs * (0.7 + 0.6 * random.next()));
    const [first, ...others] = fleet.members.filter((member) => !restarting.has(member));
    if (first === undefined) continue;
    if (postgresAt.includes(kill)) {
      postgres.kill();
      killed.push('postgres');
    }
    kill++;
    // Two of three kills hit workers, because workers hold jobs.
    const workers = [first, ...others].filter(({ kind }) => kind === 'worker');
    const [worker, ...more] = workers;
    const member =
      worker !== undefined && random.next() < 0.66 ? random.pick([worker, ...more]) : random.pick([first, ...others]);
    killed.push(member.name);
    log(`killed ${member.name}`);
    restarting.set(
      member,
      fleet.restart(member, 'SIGKILL').finally(() => restarting.delete(member)),
    );
  }
  await Promise.all(restarting.values());
  return killed;
}

/** Returns the number of calls that a kill may repeat: all slots of a worker, none of a web process, which runs no jobs. */
function slotsHitBy(name: string): number {
  if (name === 'postgres') return WORKERS * SLOTS;
  return name.startsWith('worker') ? SLOTS : 0;
}

/** Waits until all runs have ended and resumes those that Hone gave up. Returns the numbers of unfinished and resumed runs. */
async function endAll(
  api: Api,
  connectionString: string,
  limitMs: number,
  log: (line: string) => void,
): Promise<{ open: number; resumed: number }> {
  const until = performance.now() + limitMs;
  for (let resumed = 0; ; ) {
    const open = await waitForEnd(connectionString, until - performance.now(), log);
    const abandoned = open !== 0 ? [] : await listAbandonedRuns(connectionString);
    if (abandoned.length === 0) return { open, resumed };
    for (const id of abandoned) {
      const { status, text } = await api.call('POST', `/api/v1/runs/${id}/resume`);
      if (status >= 300) throw new Error(`run ${id} could not be resumed: ${text}`);
    }
    resumed += abandoned.length;
    log(`resumed ${abandoned.length} runs that were given up`);
  }
}

/** Returns the number of runs still open. */
async function waitForEnd(connectionString: string, limitMs: number, log: (line: string) => void): Promise<number> {
  const until = performance.now() + limitMs;
  for (let looks = 0; ; looks++) {
    const open = await openRuns(connectionString).catch(() => null);
    if (open === 0) return open;
    if (looks % 20 === 0) log(`${open ?? 'an unknown number of'} runs are open`);
    if (performance.now() > until) return open ?? Number.NaN;
    await sleep(250);
  }
}

/** Returns the runs that failed because they were started several times without progress. */
async function listAbandonedRuns(connectionString: string): Promise<string[]> {
  return withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM runs WHERE status = 'failed' AND failure->>'kind' = 'internal_error'",
    );
    return rows.map(({ id }) => id);
  });
}

/** Counts runs that are queued, running or waiting, and their unsettled jobs. */
async function openRuns(connectionString: string): Promise<number> {
  return withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ open: number }>(
      `SELECT ((SELECT count(*) FROM runs WHERE status IN ('queued', 'running', 'waiting'))
        + (SELECT count(*) FROM pgboss.job WHERE name = 'runs' AND state < 'completed'))::int AS open`,
    );
    return rows[0]?.open ?? 0;
  });
}

async function curveFaults(api: Api, batchId: string, tasks: LearningTask[]): Promise<string[]> {
  const { report } = await api.read(batchSchema, 'GET', `/api/v1/batches/${batchId}`);
  const expected = expectedCurve(tasks, MAX_ATTEMPTS);
  const same = JSON.stringify(report.solvedByIteration) === JSON.stringify(expected);
  if (same) return [];
  const different = await unlikeTasks(api, batchId, tasks);
  return [`the curve is ${report.solvedByIteration}, and without kills would be ${expected}: ${different.join('; ')}`];
}

/** Returns the runs of a batch whose result differs from a run without kills, with the outcome of each attempt. */
async function unlikeTasks(api: Api, batchId: string, tasks: LearningTask[]): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await api.read(runsSchema, 'GET', `/api/v1/runs?batchId=${batchId}&limit=200${cursor}`);
    for (const { id } of page.items) {
      const run = await api.read(runSchema, 'GET', `/api/v1/runs/${id}`);
      const { solvedAt = null } = tasks.find(({ question }) => question === run.case.input) ?? {};
      const attempts = Math.min(solvedAt ?? MAX_ATTEMPTS, MAX_ATTEMPTS);
      const isSolved = solvedAt !== null && solvedAt <= MAX_ATTEMPTS;
      if (run.success === isSolved && run.versions.length === attempts) continue;
      const { items: calls } = await api.read(callsSchema, 'GET', `/api/v1/runs/${id}/calls?limit=200`);
      const { status, convergenceReason, failure, lessons } = run;
      const versions = run.versions.map(({ output, finishReason, evaluations, critiques }) => ({
        ...{ output, finishReason, critiques },
        scores: evaluations.map(({ overallScore }) => overallScore),
      }));
      found.push(JSON.stringify({ id, solvedAt, status, convergenceReason, failure, versions, lessons, calls }));
    }
    if (page.nextCursor === null) return found;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/**
 * Starts a second batch of the experiment with new tasks, so that no prompt repeats, and restarts every process gracefully, one at a time.
 * Returns the inconsistencies.
 */
async function restartAll(
  { fleet, batchId, tasks, endWithinMs }: { fleet: Fleet; batchId: string; tasks: LearningTask[]; endWithinMs: number },
  connectionString: string,
  log: (line: string) => void,
): Promise<string[]> {
  const api = apiOf(fleet.webs[0]);
  const { experimentId } = await api.read(batchSchema, 'GET', `/api/v1/batches/${batchId}`);
  const cases = tasks.map(({ question, answer }) => ({ input: question, reference: answer }));
  const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, { cases });
  const oneByOne = async (members: readonly Member[]) => {
    for (const member of members) {
      await fleet.restart(member, 'SIGTERM');
      log(`restarted ${member.name}`);
    }
  };
  await Promise.all([oneByOne(fleet.workers), oneByOne(fleet.webs)]);
  const open = await waitForEnd(connectionString, endWithinMs, log);
  return [
    ...(open === 0 ? [] : [`${open} runs did not end within ${endWithinMs / 1000} s of the restarts`]),
    ...(await curveFaults(api, started.batchId, tasks)),
  ];
}
