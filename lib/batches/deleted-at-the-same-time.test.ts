import { expect, test, vi } from 'vitest';
import { defineAction } from '#lib/auth/define-action.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { respond } from '#lib/http/serve-route.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { beforeTransaction } from '#lib/testing/before-transaction.test-support.ts';
import { PRACTICE_WRITING, queuedRun, TESTER, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { branchRun } from './branch-run.ts';
import { startBatch } from './start-batch.ts';
import { startControl } from './start-control.ts';

vi.mock('#lib/auth/authorize.ts', () => ({ authorize: async () => TESTER }));
vi.mock('next/headers', () => ({ cookies: async () => new Map() }));

const { database } = useTestDatabase();

type Parents = Record<'experimentId' | 'batchId' | 'runId', string>;
type Use = (context: AppContext, parents: Parents) => Promise<Result<unknown>>;

const removeExperiment: Use = (context, { experimentId }) => deleteExperiment(context, TESTER, experimentId);
const removeRun: Use = (context, { runId }) => deleteRun(context, TESTER, runId);
const start: Use = (context, { experimentId }) =>
  startBatch(context, TESTER, experimentId, { input: 'Explain tides.' }, { idempotencyKey: null, watched: false });
const branch: Use = (context, { runId }) => branchRun(context, TESTER, runId, { version: 0 }, { watched: false });
const control: Use = (context, { batchId }) =>
  startControl(context, TESTER, batchId, { control: 'equal_cost' }, { atOnce: 1 });

test.each<[command: string, parent: string, Use, Use]>([
  ['a start', 'the experiment', start, removeExperiment],
  ['a branch', 'the experiment', branch, removeExperiment],
  ['a branch', 'the original run', branch, removeRun],
  ['a control', 'the experiment', control, removeExperiment],
])('%s finds nothing if %s is deleted just before it is stored', async (_command, _parent, use, remove) => {
  const attempt = async (answer: (work: () => Promise<Result<unknown>>) => Promise<unknown>) => {
    const context = testContext(database());
    const runId = await queuedRun(context, { ...PRACTICE_WRITING, maxIterations: 1 }, { input: 'Explain tides.' });
    await performRun(testWorkerContext(context), runId);
    const { experimentId, batchId } = await database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
    const parents = { experimentId, batchId, runId };
    const racing = { ...context, database: beforeTransaction(database(), () => remove(context, parents)) };
    return answer(() => use(racing, parents));
  };
  const response = await attempt((work) => respond(work));
  expect(response).toMatchObject({ status: 404 });
  const act = (work: () => Promise<Result<unknown>>) =>
    defineAction('useAction', { role: 'editor', audit: 'started' }, () => work())();
  expect(await attempt(act)).toMatchObject({ ok: false, problem: { code: 'not_found' } });
});
