import { randomBytes, randomUUID } from 'node:crypto';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { fileLoader } from '#lib/files/stored-files.ts';
import { providerResolver } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { privateTagsCall } from '#lib/providers/call/private-tags.ts';
import { loadRun, type StoredRun } from '#lib/runs/load-run.ts';
import { findRun } from '#lib/runs/queries.ts';
import { pythonRunner } from '#lib/settings/python.ts';
import { mcpServers } from '#lib/tools/mcp/mcp-servers.ts';
import { webhookValidator } from '#lib/webhooks/send-webhook.ts';
import { groupSaves } from '#lib/worker/group-saves.ts';
import { toolboxOf } from '#lib/worker/run-tools.ts';
import type { WorkerContext } from '#lib/worker/worker-context.ts';

export const TESTER = { id: 'tester', name: 'Tester', role: 'owner' } as const;

/** Returns a context for a test database whose queue only records the sent jobs. */
export function testContext(database: Database): AppContext & { sent: string[] } {
  const sent: string[] = [];
  const addresses = { allowLoopback: true, allowedPrivateHosts: [] };
  return {
    database,
    now: () => new Date(),
    newId: randomUUID,
    enqueue: async (runIds) => void sent.push(...runIds),
    secret: randomBytes(32),
    environmentKeys: {},
    addresses,
    mcp: mcpServers({ rules: addresses }),
    mcpCommands: {},
    address: 'http://127.0.0.1:3000',
    sent,
  };
}

/** Returns a worker context with the real model caller, or another one. */
export function testWorkerContext(
  context: AppContext,
  call: ModelCaller = privateTagsCall(
    createModelCaller({
      addresses: context.addresses,
      resolveProvider: providerResolver(context),
      loadFiles: fileLoader(context.database),
    }),
    context.secret,
  ),
  signal = new AbortController().signal,
): WorkerContext {
  const { database } = context;
  const python = pythonRunner(context);
  const validate = webhookValidator(context, { timeoutMs: 2_000, backOffMs: [1, 1] });
  return {
    database,
    enqueue: context.enqueue,
    save: groupSaves(database),
    call,
    validate,
    python,
    openTools: toolboxOf(context),
    now: context.now,
    newId: context.newId,
    signal,
  };
}

export const PRACTICE_WRITING: ExperimentSettingsInput = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [
    { name: 'clarity', evaluator: 'llm' },
    { name: 'completeness', evaluator: 'llm' },
  ],
  maxIterations: 5,
};

export const PRACTICE_SUMS: ExperimentSettingsInput = {
  mode: 'retry',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } }],
  qualityThreshold: 1,
  maxAttempts: 5,
  convergence: null,
};

/** Creates a queued run of a new experiment and returns its ID. */
export async function queuedRun(
  context: AppContext,
  settings: ExperimentSettingsInput,
  task: { input: string; reference?: string },
): Promise<string> {
  const experiment = unwrap(
    await createExperiment(context, TESTER, { name: 'test', ...settingsSchema.parse(settings) }),
  );
  const started = unwrap(
    await startBatch(context, TESTER, experiment.id, { cases: [task] }, { idempotencyKey: null, watched: false }),
  );
  return started.runIds[0] ?? '';
}

export async function storedRun(database: Database, runId: string): Promise<StoredRun> {
  const stored = await loadRun(database, runId);
  if (stored === null) throw new Error('no such run');
  return stored;
}

export async function recordOf(database: Database, runId: string): Promise<RunRecord> {
  const found = await findRun(database, runId);
  if (found === null) throw new Error('no such run');
  return found.record;
}

/** Returns the value of a result, or throws if it is an error. */
export function unwrap<Value>(result: { ok: true; value: Value } | { ok: false; problem: { message: string } }): Value {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}
