// A process of its own: Hone's worker with its real queue, caller and database, as `startWorker` puts them together.
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { beginHearing, CHANGES_CHANNEL, endHearing, noteChange } from '#lib/database/changes.ts';
import { listen } from '#lib/database/connections.ts';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { announceEvents, followRun } from '#lib/live/live.ts';
import { limitedCall } from '#lib/models/limited-call.ts';
import { providerDirectory } from '#lib/models/resolve-provider.ts';
import { saveProvider } from '#lib/models/save-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import { openQueue } from '#lib/queue/queue.ts';
import { granted } from '#lib/testing/test-context.ts';
import { mcpServers } from '#lib/tools/mcp/mcp-servers.ts';
import { webhookValidator } from '#lib/webhooks/send-webhook.ts';
import { groupSaves } from '#lib/worker/group-saves.ts';
import { leftOver, performJob } from '#lib/worker/perform-job.ts';
import { toolboxOf } from '#lib/worker/toolbox-of.ts';
import { answerBench, toldOptions } from './bench-child.ts';
import { CALLS_PER_RUN, CONCURRENCY, loopOptionsSchema, measured, taskOf, WARM_UP_RUNS } from './loop-task.ts';
import { retrySettings } from './retry-settings.ts';

const options = loopOptionsSchema.extend({ connectionString: z.string() }).parse(toldOptions());
const OWNER = { id: 'bench', name: 'Bench', role: 'owner' } as const;

const database = openDatabase(options.connectionString, { isShared: false });
const stopListening = await listen(
  database,
  ['hone_events', CHANGES_CHANNEL],
  (channel, payload) => (channel === 'hone_events' ? announceEvents(payload) : noteChange(database, payload)),
  () => beginHearing(database),
  () => endHearing(database),
);
beginHearing(database);
const queue = await openQueue(options.connectionString, (error) => console.error(error));
let watching = false;
const heard = { events: 0, characters: 0 };
const addresses = { allowLoopback: true, allowedPrivateHosts: [] };
const context: AppContext = {
  database,
  now: () => new Date(),
  // A run that is to be watched has its watcher before its first call.
  newId: () => {
    const id = randomUUID();
    if (watching) watch(id);
    return id;
  },
  enqueue: queue.enqueue,
  secret: randomBytes(32),
  environmentKeys: {},
  addresses,
  mcp: mcpServers({ rules: addresses }),
  mcpCommands: {},
};
const { resolveProvider, limitsOf } = providerDirectory(context);
const call = limitedCall(createModelCaller({ resolveProvider, addresses }), {
  database,
  holder: randomUUID(),
  limitsOf,
});
const save = groupSaves(database);
const bench = {
  database,
  save,
  call,
  python: async () => ({ type: 'off' as const }),
  validate: webhookValidator(context),
  openTools: toolboxOf(context),
  now: context.now,
  newId: () => randomUUID(),
  signal: new AbortController().signal,
};
let performed = 0;
let onPerformed = () => {};
const perform = async (runId: string) => {
  await performJob(bench, runId);
  performed++;
  onPerformed();
};
await queue.work(CONCURRENCY, perform, leftOver(database));

const warmUpExperiment = await experimentOn(options.warmUpUrl);
const measuredExperiment = await experimentOn(options.measuredUrl);
watching = options.watched;
await performRuns(warmUpExperiment, WARM_UP_RUNS);
const writesBefore = await countWrites();
const figures = await measured(() => performRuns(measuredExperiment, options.runs));
await queue.stop(5_000);
const writes = (await countWrites()) - writesBefore;
await checkCalls();
call.close();
await stopListening();
await closeDatabase(database);
answerBench({ ...figures, writes });

/** As a page does, but for the writing to its browser. */
function watch(runId: string): void {
  const onEvents = () => {
    heard.events += 1;
  };
  const onText = ({ text }: { text: string }) => {
    heard.characters += text.length;
  };
  followRun(runId, { onEvents, onText });
}

/** Answers the experiment's id. */
async function experimentOn(baseUrl: string): Promise<string> {
  const name = `p-${randomUUID().slice(0, 8)}`;
  granted(await saveProvider(context, OWNER, { name, kind: 'openai-compatible', baseUrl }));
  return granted(await createExperiment(context, OWNER, { name, ...retrySettings(name) })).id;
}

async function performRuns(experimentId: string, count: number): Promise<void> {
  if (count === 0) return;
  const cases = Array.from({ length: count }, (_, run) => ({ input: taskOf(run), reference: 'never this' }));
  const before = performed;
  const all = new Promise<void>((resolve) => {
    onPerformed = () => performed - before === count && resolve();
  });
  granted(await startBatch(context, OWNER, experimentId, { cases }, { idempotencyKey: null, watched: false }));
  await all;
}

/** Transactions that wrote, since the cluster was made: each of them takes a number. */
async function countWrites(): Promise<number> {
  const { rows } = await database.pool.query<{ next: string }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
  );
  return Number(rows[0]?.next);
}

/** A fast loop that does not do its work is no loop. */
async function checkCalls(): Promise<void> {
  const { rows } = await database.pool.query<{ runs: number; calls: number; versions: number }>(
    `SELECT count(*)::int AS runs, (SELECT count(*)::int FROM model_calls c JOIN runs r ON r.id = c.run_id WHERE r.experiment_id = $1 AND c.text IS NOT NULL) AS calls,
       coalesce(sum(version_count), 0)::int AS versions FROM runs WHERE experiment_id = $1 AND status = 'finished'`,
    [measuredExperiment],
  );
  const { runs = 0, calls = 0, versions = 0 } = rows[0] ?? {};
  const wanted = options.runs * CALLS_PER_RUN;
  if (options.watched && heard.characters === 0) throw new Error('nothing was heard of runs that were watched');
  if (runs !== options.runs || calls !== wanted || versions !== wanted)
    throw new Error(
      `${runs} runs ended with ${calls} calls and ${versions} versions; ${options.runs} and ${wanted} were to be made`,
    );
}
