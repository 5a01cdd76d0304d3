import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import { refuseCaseCriteria, settingsForCase } from '#lib/core/case-criteria.ts';
import { callsOfEvaluation } from '#lib/core/criterion.ts';
import type { TuningCase } from '#lib/core/history.ts';
import { fail, problemWithin, type Result, succeed } from '#lib/core/problem.ts';
import { promptOptionsShape } from '#lib/core/prompt-options.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { type ModelReference, modelReferenceSchema, settingsSchema } from '#lib/core/settings.ts';
import { rejectUnscorableCases, unscorableCases } from '#lib/core/unscorable-cases.ts';
import type { Database } from '#lib/database/database.ts';
import { findDataset } from '#lib/datasets/queries.ts';
import { MAX_TUNING_CASES, splitCases } from '#lib/experiments/split-cases.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { EvaluationCell, PromptEvaluation, SkippedCase } from './evaluation-schema.ts';
import { evaluationKey, findPromptEvaluations } from './evaluation-scores.ts';
import type { PromptBody } from './prompt.ts';
import { findPrompt, findPromptVersion, promptNotFound } from './queries.ts';
import { refuseOptions } from './save-prompt-version.ts';
import { type PromptSetup, promptVersionNumberSchema, promptVersionTextSchema } from './schema.ts';

/** Cases for evaluating a prompt, split like in a tuning run. `caseCount` is the size of the whole dataset. */
type PromptCases = { datasetName: string; caseCount: number; cases: TuningCase[] };

/** Returns the first 2,000 cases of a dataset, the maximum of a tuning run. Returns null if the dataset does not exist. */
export async function findPromptCases(database: Database, datasetId: string): Promise<PromptCases | null> {
  const dataset = await findDataset(database, datasetId, MAX_TUNING_CASES);
  if (dataset === null) return null;
  return { datasetName: dataset.name, caseCount: dataset.caseCount, cases: splitCases(dataset.cases, USUAL_TUNING) };
}

/** Default tuning settings, which determine the split. */
const USUAL_TUNING = settingsSchema.shape.tune.parse({});

/** Texts, cases and models of a requested evaluation. */
export const evaluationInputSchema = z.strictObject({
  texts: z
    .array(
      z.union(
        [
          z.strictObject({ text: promptVersionTextSchema, ...promptOptionsShape }),
          z.strictObject({ version: promptVersionNumberSchema }),
        ],
        { error: 'must contain either a text or the number of a version' },
      ),
    )
    .min(1, { error: 'must contain at least one text' })
    .max(3, { error: 'must contain at most 3 texts' }),
  /** Indices in the dataset, from 0. Null means all except the held-out cases. */
  positions: z
    .array(integerBetween(0, MAX_TUNING_CASES - 1))
    .min(1, { error: 'must name at least one case' })
    .max(MAX_TUNING_CASES, { error: `must name at most ${MAX_TUNING_CASES} cases` })
    .nullable()
    .default(null),
  /** Null means the models of the prompt's setup. */
  models: z.array(modelReferenceSchema).min(1).max(4).nullable().default(null),
  /** If false, returns only saved results and the number of calls the rest would need. */
  pay: z.boolean().default(true),
  /** If true, retries evaluations without a score. */
  again: z.boolean().default(false),
});

/** Evaluation to perform, with its key and the saved result, if any. */
export type PlannedCell = EvaluationCell & { key: string; task: TuningCase; stored: PromptEvaluation | null };

/**
 * All requested evaluations, by case, then text, then model. `calls` is the approximate number of calls for unsaved ones. `skipped`: cases
 * that a criterion can never score. They have no evaluations except saved ones.
 */
export type EvaluationPlan = {
  /** Prompt that results are saved with. Null if they are neither saved nor looked up. */
  name: string | null;
  setup: PromptSetup;
  texts: PromptBody[];
  models: ModelReference[];
  cells: PlannedCell[];
  skipped: SkippedCase[];
  calls: number;
  pay: boolean;
  again: boolean;
};

/** Plans an evaluation and finds its saved results. Refuses if the prompt has no dataset or no criteria. */
export async function planEvaluation(
  context: AppContext,
  name: string,
  input: unknown,
): Promise<Result<EvaluationPlan>> {
  const parsed = parseInput(evaluationInputSchema, input);
  if (!parsed.ok) return parsed;
  const { pay, again, positions } = parsed.value;
  const { database } = context;
  const prompt = await findPrompt(database, name);
  if (prompt === null) return promptNotFound(name);
  const { setup } = prompt;
  if (setup.criteria.length === 0) return fail('conflict', 'The prompt has no criteria yet. Choose them in its setup.');
  const found = setup.datasetId === null ? null : await findPromptCases(database, setup.datasetId);
  if (found === null) return fail('conflict', 'The prompt has no dataset yet. Choose one in its setup.');

  const read = await readTexts(context, name, parsed.value.texts);
  if (!read.ok) return read;
  const texts = read.value;
  const models = parsed.value.models ?? setup.models;
  const chosen = positions === null ? null : new Set(positions);
  const cases = found.cases.filter(({ position, split }) =>
    chosen === null ? split !== 'held_out' : chosen.has(position),
  );
  if (cases.length === 0 || (chosen !== null && cases.length < chosen.size))
    return fail('invalid', `positions must name cases of the dataset: it has ${found.cases.length}, counted from 0.`);

  const unread = cases.flatMap((task) =>
    texts.flatMap((body, text) =>
      models.map((used, model) => {
        return { text, model, position: task.position, key: evaluationKey(body, task, used, setup), task };
      }),
    ),
  );
  const keys = unread.map(({ key }) => key);
  const stored = await findPromptEvaluations(database, name, keys);
  const requested = unread.map((cell) => ({ ...cell, stored: stored.get(cell.key) ?? null }));
  const missing = requested.filter((cell) => !hasUsableResult(cell, again));
  const missingAt = new Set(missing.map(({ position }) => position));
  const due = cases.filter(({ position }) => missingAt.has(position));
  const field = () => (positions === null ? null : 'positions');
  const scoring = promptScoring(setup);
  const skipped = skippedCases(setup, due);
  if (pay) {
    const refusal =
      refuseCaseCriteria(scoring, due, { code: 'conflict', field }) ??
      (skipped.length === cases.length ? rejectUnscorableCases(scoring, due, { code: 'conflict', field }) : null);
    if (refusal !== null) return refusal;
  }
  const skippedAt = new Set(skipped.map(({ position }) => position));
  const cells = requested.filter((cell) => hasUsableResult(cell, again) || !skippedAt.has(cell.position));
  const open = new Map(missing.flatMap(({ key, task }) => (skippedAt.has(task.position) ? [] : [[key, task]])));
  const calls = [...open.values()].reduce((sum, task) => sum + 1 + callsOfEvaluation(settingsForCase(setup, task)), 0);
  return succeed({ name, setup, texts, models, cells, skipped, calls, pay, again });
}

/** Returns the texts to evaluate. Those given by number are versions of the prompt. */
async function readTexts(
  { database }: AppContext,
  name: string,
  requested: z.output<typeof evaluationInputSchema>['texts'],
): Promise<Result<PromptBody[]>> {
  const texts: PromptBody[] = [];
  for (const [index, one] of requested.entries()) {
    const body = 'text' in one ? one : await findPromptVersion(database.prisma, name, one);
    if (body === null) return fail('not_found', `texts.${index}: there is no such version of "${name}".`);
    const unusable = await refuseOptions(body);
    if (unusable !== null) return { ok: false, problem: problemWithin(`texts.${index}`, unusable.problem) };
    texts.push(body);
  }
  return succeed(texts);
}

/** Returns the settings that determine if a prompt's cases can be scored. */
function promptScoring({ criteria }: Pick<PromptSetup, 'criteria'>) {
  return { criteria, prompts: { evaluate: null }, mode: 'tune' as const, embeddingModel: null };
}

/** Returns the cases that a criterion of the prompt can never score, each with the first such criterion and its missing input. */
export function skippedCases(setup: Pick<PromptSetup, 'criteria'>, cases: readonly TuningCase[]): SkippedCase[] {
  return unscorableCases(promptScoring(setup), cases).map(({ number, criterion, lacks }) => ({
    ...{ position: number - 1, criterion, missing: lacks },
  }));
}

/** Returns true if the saved evaluation can be used. One without a score cannot if `again` is set. */
export function hasUsableResult({ stored }: Pick<PlannedCell, 'stored'>, again: boolean): boolean {
  return stored !== null && !(again && stored.score === null);
}
