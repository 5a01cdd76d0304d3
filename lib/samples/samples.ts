import type { Actor } from '#lib/auth/actor.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { runExclusively } from '#lib/database/locks.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { casesSchema } from '#lib/datasets/case-input.ts';
import { insertDataset } from '#lib/datasets/dataset-versions.ts';
import { insertExperiment } from '#lib/experiments/create-experiment.ts';
import { createPrompt } from '#lib/prompts/prompt-library.ts';
import { type Sample, type SampleKind, TUNING_SAMPLE } from './tuning-sample.ts';

const practice = { provider: 'practice', model: 'practice-1' };

/** Task of the first sample. */
export const SAMPLE_INPUT = 'Explain our rate limits to a new user';

const writing: ExperimentSettingsInput = {
  mode: 'revise',
  taskType: 'writing',
  generator: { ...practice, instructions: 'You write short help texts for the users of a web service.' },
  criteria: [
    { name: 'clarity', description: 'Plain words, short sentences, no vague or hedging phrases.', evaluator: 'llm' },
    { name: 'coherence', description: 'One thought follows from the other; nothing is said twice.', evaluator: 'llm' },
    {
      name: 'completeness',
      description: 'Says what to do, step by step, with an example and a summary.',
      evaluator: 'llm',
    },
    { name: 'tone', description: 'Friendly and calm; speaks to the reader.', evaluator: 'llm' },
  ],
  qualityThreshold: 0.8,
  maxIterations: 5,
};

/**
 * Samples of a new installation: a loop that finishes, one that waits for a person, a prompt that is tuned, and a batch that learns
 * lessons.
 */
export const SAMPLES: Sample[] = [
  {
    kind: 'improve',
    name: 'Help texts, revised with a judge',
    settings: writing,
    cases: [{ input: SAMPLE_INPUT }],
  },
  {
    kind: 'review',
    name: 'Help texts, a person decides before the end',
    settings: { ...writing, callbacks: { pause: 'before_finish' } },
    cases: [{ input: 'Explain our password rules to a new customer' }],
  },
  TUNING_SAMPLE,
  {
    kind: 'learn',
    name: 'Mental arithmetic, retried with lessons',
    settings: {
      mode: 'retry',
      taskType: 'reasoning',
      generator: { ...practice, instructions: 'Work out the task. End with the result as Finish[number].' },
      criteria: [
        {
          name: 'exact answer',
          description: 'The number in the last Finish[...] is right.',
          evaluator: 'reference',
          config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' },
        },
      ],
      qualityThreshold: 1,
      maxAttempts: 5,
      convergence: null,
    },
    cases: arithmetic(),
  },
];

function arithmetic(): { input: string; reference: string }[] {
  return Array.from({ length: 20 }, (_, position) => {
    const [one, two, three] = [12 + position * 3, 3 + (position % 7), 5 + position * 2];
    return {
      input: `What is ${three} + ${one} × ${two}? Answer as Finish[number].`,
      reference: String(three + one * two),
    };
  });
}

/** Returns the remaining sample experiments by kind. */
export async function findSamples({ prisma }: DatabaseClient): Promise<Map<SampleKind, string>> {
  const rows = await prisma.experiment.findMany({
    where: { sample: true },
    select: { id: true, name: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return new Map(
    SAMPLES.flatMap(({ kind, name }) => {
      const id = rows.find((row) => row.name === name)?.id;
      return id === undefined ? [] : [[kind, id] as const];
    }),
  );
}

/** Starts a sample again with all its cases. Returns the path of the page with its result: its only run, or its experiment. */
export async function startSample(context: AppContext, actor: Actor, kind: string): Promise<Result<{ path: string }>> {
  const sample = SAMPLES.find((one) => one.kind === kind);
  const id = sample && (await findSamples(context.database)).get(sample.kind);
  if (sample === undefined || id === undefined)
    return fail('not_found', 'This sample experiment was deleted. Create an experiment instead.');
  const start = sample.kept === undefined ? { cases: sample.cases } : { datasetId: sample.kept.datasetId };
  const started = await startBatch(context, actor, id, start, { idempotencyKey: null, watched: true });
  if (!started.ok) return started;
  const [runId, ...others] = started.value.runIds;
  const isOne = runId !== undefined && others.length === 0;
  return succeed({ path: isOne ? `/runs/${runId}` : `/experiments/${id}?batch=${started.value.batchId}` });
}

const SEEDER = { id: 'hone', name: 'Hone', role: 'owner' } as const;

const MADE = 'samples made';
/**
 * Creates the sample experiments on the practice model and starts each once, only in a database that never had them. Recreates what a
 * killed start left incomplete. If several processes start at once, one of them creates the samples.
 */
export async function seedSamples(context: AppContext): Promise<void> {
  if (await areMade(context)) return;
  await runExclusively(context.database, 'samples', async () => {
    if (!(await areMade(context))) await makeSamples(context);
  });
}

/** Returns the sample runs that have not ended and do not wait for a person. */
export async function openSampleRunIds({ prisma }: DatabaseClient): Promise<string[]> {
  const where = { status: { in: ['queued', 'running'] }, experiment: { sample: true } };
  const runs = await prisma.run.findMany({ where, select: { id: true }, orderBy: { number: 'asc' } });
  return runs.map(({ id }) => id);
}

async function areMade({ database }: AppContext): Promise<boolean> {
  return (await database.prisma.fact.findUnique({ where: { name: MADE } })) !== null;
}

async function makeSamples(context: AppContext): Promise<void> {
  const { prisma } = context.database;
  await prisma.experiment.deleteMany({ where: { sample: true } });
  // Lists show the newest first, so the first sample is created last.
  for (const [position, sample] of [...SAMPLES].reverse().entries()) {
    const id = context.newId();
    const now = new Date(context.now().getTime() + position);
    const settings = settingsSchema.parse(sample.settings);
    await insertExperiment(prisma, { id, name: sample.name, settings, sample: true, now });
    if (sample.kept !== undefined) await keepForGood(context, sample.kept, sample.cases);
    const start = sample.kept === undefined ? { cases: sample.cases } : { datasetId: sample.kept.datasetId };
    const options = { idempotencyKey: null, watched: false };
    const started = await startBatch(context, SEEDER, id, start, options);
    if (!started.ok) throw new Error(`the sample "${sample.name}" could not be started: ${started.problem.message}`);
  }
  await prisma.fact.create({ data: { name: MADE, at: context.now() } });
}

/** Creates a sample's dataset and prompt, except what an earlier, killed start already created. */
async function keepForGood(
  context: AppContext,
  { datasetId, dataset, prompt }: NonNullable<Sample['kept']>,
  cases: Sample['cases'],
): Promise<void> {
  const { prisma } = context.database;
  if ((await prisma.dataset.findUnique({ where: { id: datasetId }, select: { id: true } })) === null) {
    const whole = { id: datasetId, name: dataset, cases: casesSchema.parse(cases), now: context.now() };
    await inTransaction(context.database, (transaction) => insertDataset(transaction, whole));
  }
  const made = await createPrompt(context, SEEDER, { ...prompt, setup: { ...prompt.setup, datasetId } });
  if (!made.ok && made.problem.code !== 'conflict')
    throw new Error(`the sample "${prompt.name}" could not be made: ${made.problem.message}`);
}
