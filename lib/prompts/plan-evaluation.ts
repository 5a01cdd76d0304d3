import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import { refuseCaseCriteria, settingsForCase } from '#lib/core/case-criteria.ts';
import { callsOfEvaluation } from '#lib/core/criterion.ts';
import type { TuningCase } from '#lib/core/history.ts';
import { fail, problemWithin, type Result, succeed } from '#lib/core/problem.ts';
import { promptOptionsShape } from '#lib/core/prompt-options.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { type ModelReference, modelReferenceSchema, settingsSchema } from '#lib/core/settings.ts';
import { refuseUnscorable } from '#lib/core/unscorable-cases.ts';
import type { Database } from '#lib/database/database.ts';
import { findDataset } from '#lib/datasets/queries.ts';
import { MOST_TUNING_CASES, splitCases } from '#lib/experiments/split-cases.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { evaluationKey } from './evaluation-key.ts';
import type { EvaluationCell, PromptEvaluation } from './evaluation-schema.ts';
import { findPromptEvaluations } from './evaluation-scores.ts';
import type { PromptBody } from './prompt-body.ts';
import { findPrompt, findPromptVersion, noPrompt } from './queries.ts';
import { refuseOptions } from './save-prompt-version.ts';
import { type PromptSetup, promptVersionNumberSchema, promptVersionTextSchema } from './schema.ts';

/** The cases that a prompt is tried on, split as a tuning run splits them; `caseCount` is that of the whole dataset. */
type PromptCases = { datasetName: string; caseCount: number; cases: TuningCase[] };

/** The first 2,000 cases of a dataset, as many as a tuning run takes; null where there is no such dataset. */
export async function findPromptCases(database: Database, datasetId: string): Promise<PromptCases | null> {
  const dataset = await findDataset(database, datasetId, MOST_TUNING_CASES);
  if (dataset === null) return null;
  return { datasetName: dataset.name, caseCount: dataset.caseCount, cases: splitCases(dataset.cases, USUAL_TUNING) };
}

/** What decides the split where a tuning run is not told otherwise. */
const USUAL_TUNING = settingsSchema.shape.tune.parse({});

/** Which texts are to be tried on which cases by which models. */
export const evaluationInputSchema = z.strictObject({
  texts: z
    .array(
      z.union(
        [
          z.strictObject({ text: promptVersionTextSchema, ...promptOptionsShape }),
          z.strictObject({ version: promptVersionNumberSchema }),
        ],
        {
          error: 'must contain either a text or the number of a version',
        },
      ),
    )
    .min(1, { error: 'must hold at least one text' })
    .max(3, { error: 'must hold at most 3 texts' }),
  /** Of the dataset, from 0; null: all but the held-out cases. */
  positions: z
    .array(integerBetween(0, MOST_TUNING_CASES - 1))
    .min(1, { error: 'must name at least one case' })
    .max(MOST_TUNING_CASES, { error: `must name at most ${MOST_TUNING_CASES} cases` })
    .nullable()
    .default(null),
  /** Null: those of the prompt's setup. */
  models: z.array(modelReferenceSchema).min(1).max(4).nullable().default(null),
  /** Off: only what is kept already is answered, and how many calls the rest would take. */
  pay: z.boolean().default(true),
  /** Tries once more what could not be scored. */
  again: z.boolean().default(false),
});

/** One answer to be made: what, under which key it is kept, and the kept one. */
export type PlannedCell = EvaluationCell & { key: string; task: TuningCase; kept: PromptEvaluation | null };

/** All answers that were asked for, by case, then text, then model; `calls`: about how many calls those take that are not kept. */
export type EvaluationPlan = {
  /** The prompt that answers are kept with; null: they are not kept, nor known from before. */
  name: string | null;
  setup: PromptSetup;
  texts: PromptBody[];
  models: ModelReference[];
  cells: PlannedCell[];
  calls: number;
  pay: boolean;
  again: boolean;
};

/** Says what an evaluation consists of and what of it is known. Refused where the prompt has no dataset or no criteria to be tried with. */
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
  if (prompt === null) return noPrompt(name);
  const { setup } = prompt;
  if (setup.criteria.length === 0) return fail('conflict', 'The prompt has no criteria yet. Choose them in its setup.');
  const found = setup.datasetId === null ? null : await findPromptCases(database, setup.datasetId);
  if (found === null) return fail('conflict', 'The prompt has no dataset yet. Choose one in its setup.');

  const texts: PromptBody[] = [];
  for (const [place, one] of parsed.value.texts.entries()) {
    const body = 'text' in one ? one : await findPromptVersion(database.prisma, name, one);
    if (body === null) return fail('not_found', `texts.${place}: there is no such version of "${name}".`);
    const unusable = await refuseOptions(body);
    if (unusable !== null) return { ok: false, problem: problemWithin(`texts.${place}`, unusable.problem) };
    texts.push(body);
  }
  const models = parsed.value.models ?? setup.models;
  const chosen = positions === null ? null : new Set(positions);
  const cases = found.cases.filter(({ position, split }) =>
    chosen === null ? split !== 'held_out' : chosen.has(position),
  );
  if (cases.length === 0 || (chosen !== null && cases.length < chosen.size))
    return fail('invalid', `positions must name cases of the dataset: it has ${found.cases.length}, counted from 0.`);

  const unread = cases.flatMap((task) =>
    texts.flatMap((text, textPlace) =>
      models.map((model, modelPlace) => ({
        text: textPlace,
        model: modelPlace,
        position: task.position,
        key: evaluationKey(text, task, model, setup),
        task,
      })),
    ),
  );
  const kept = await findPromptEvaluations(
    database,
    name,
    unread.map(({ key }) => key),
  );
  const cells = unread.map((cell) => ({ ...cell, kept: kept.get(cell.key) ?? null }));
  const tried = cells.filter((cell) => !isKnown(cell, again));
  const triedAt = new Set(tried.map(({ position }) => position));
  const due = cases.filter(({ position }) => triedAt.has(position));
  const field = () => (positions === null ? null : 'positions');
  const scoring = {
    criteria: setup.criteria,
    prompts: { evaluate: null },
    mode: 'tune' as const,
    embeddingModel: null,
  };
  const refusal = pay
    ? (refuseCaseCriteria(scoring, due, { code: 'conflict', field }) ??
      refuseUnscorable(scoring, due, { code: 'conflict', field }))
    : null;
  if (refusal !== null) return refusal;
  const open = new Map(tried.map(({ key, task }) => [key, task]));
  const calls = [...open.values()].reduce((sum, task) => sum + 1 + callsOfEvaluation(settingsForCase(setup, task)), 0);
  return succeed({ name, setup, texts, models, cells, calls, pay, again });
}

/** Whether the kept evaluation answers; one without a score does not where that is tried again. */
export function isKnown({ kept }: Pick<PlannedCell, 'kept'>, again: boolean): boolean {
  return kept !== null && !(again && kept.score === null);
}
