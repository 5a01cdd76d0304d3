import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { usesEmbeddings, waitsForPerson } from '#lib/core/criterion.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type ExperimentSettings, type ModelReference, settingsSchema } from '#lib/core/settings.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { findDataset } from '#lib/datasets/queries.ts';
import { readSettings } from '#lib/experiments/read-settings.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findDefaultModels } from '#lib/models/default-models.ts';
import { NO_OPTIONS, type PromptBody } from './prompt.ts';
import { findPrompt, findPromptSetup, findPromptVersion, lockPrompt, promptNotFound } from './queries.ts';
import { type PromptSetup, promptSetupSchema } from './schema.ts';

/** Placeholder for missing criteria of a setup. It must never be used for scoring. */
const NONE_YET = { name: 'none yet', evaluator: 'llm' as const };

/**
 * Returns the settings of an experiment that evaluates a prompt with its setup: one response per case by `model`, scored by the setup's
 * criteria, without lessons. `body` is the text with its tools and response schema. Without criteria, the settings can generate responses
 * but not score them.
 */
export function promptSettings(setup: PromptSetup, body: PromptBody, model: ModelReference): ExperimentSettings {
  const { text, tools, responseSchema } = body;
  return settingsSchema.parse({
    mode: 'tune',
    generator: {
      ...model,
      instructions: setup.instructions,
      temperature: setup.temperature,
      tools,
      responseSchema,
    },
    temperatures: { evaluate: setup.evaluatorTemperature },
    modelSettings: setup.modelSettings,
    evaluatorModel: setup.evaluatorModel,
    prompts: { generate: text },
    criteria: setup.criteria.length === 0 ? [NONE_YET] : setup.criteria,
    qualityThreshold: setup.qualityThreshold,
    lessons: { store: 'none', write: 'off' },
  });
}

/**
 * Validates a prompt's setup: the dataset exists, and an experiment could run with its models and criteria. Fields have the names of the
 * setup.
 */
export async function readPromptSetup(context: AppContext, input: unknown): Promise<Result<PromptSetup>> {
  const parsed = parseInput(promptSetupSchema, input);
  if (!parsed.ok) return parsed;
  const setup = parsed.value;
  const embedded = setup.criteria.findIndex(usesEmbeddings);
  if (embedded >= 0)
    return refused(`criteria.${embedded}.config.match`, 'must not be embedding: prompts are scored without vectors');
  const human = setup.criteria.findIndex(waitsForPerson);
  if (human >= 0)
    return refused(
      `criteria.${human}.evaluator`,
      'must not be human, because prompt evaluations run without reviewers',
    );
  for (const [position, model] of setup.models.entries()) {
    const { prompts, criteria, ...settings } = promptSettings(
      { ...setup, criteria: [] },
      { text: '{{input}}', ...NO_OPTIONS },
      model,
    );
    const scored = setup.criteria.length === 0 ? criteria : setup.criteria;
    const read = await readSettings(context, { name: 'prompt', ...settings, prompts, criteria: scored });
    if (read.ok) continue;
    const { message, field, code } = read.problem;
    const named = (text: string) => text.replace(/^generator\./, `models.${position}.`);
    return fail(code, named(message), field === null ? null : named(field));
  }
  if (setup.datasetId !== null && (await findDataset(context.database, setup.datasetId, 1)) === null)
    return refused('datasetId', 'there is no dataset with this id. Import the cases first, or leave it out');
  return succeed(setup);
}

function refused(field: string, message: string): Result<never> {
  return fail('invalid', `${field}${message.startsWith('must') ? ' ' : ': '}${message}.`, field);
}

/** Changes of a setup. Omitted parts are kept, so there are no defaults. */
export const promptChangeSchema = promptSetupSchema.partial();

/** Updates the setup of a prompt. Given parts are replaced, the others kept. Validated like the settings of an experiment. */
export async function updatePromptSetup(
  context: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<{ name: string; setup: PromptSetup }>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return fail('invalid', 'The change must be an object of parts of the setup.');
  const before = await findPromptSetup(context.database, name);
  if (before === null) return promptNotFound(name);
  const setup = await readPromptSetup(context, { ...before, ...input });
  if (!setup.ok) return setup;
  type Updated = Result<{ name: string; setup: PromptSetup }>;
  const updated = await inTransaction(context.database, async (transaction): Promise<Updated | null> => {
    if ((await lockPrompt(transaction, name)) === null) return promptNotFound(name);
    const now = await findPromptSetup({ prisma: transaction }, name);
    if (!isDeepStrictEqual(now, before)) return null;
    await transaction.prompt.update({
      where: { name },
      data: { setup: cleanJson(setup.value), updatedAt: context.now() },
    });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'prompt', name },
      change: { fields: Object.keys(input).join(', ') },
    });
    return succeed({ name, setup: setup.value });
  });
  // Somebody changed the setup meanwhile, so the change is validated and applied again.
  return updated ?? updatePromptSetup(context, actor, name, input);
}

/**
 * Returns the settings for tuning a version of a prompt: its text, with the models and criteria of the prompt's setup. The setup has no
 * model that writes proposals, so this is the default critic. `version` is the version number, null for the newest. Without criteria
 * (`hasCriteria` false), the settings contain placeholders that must not be used for scoring. Returns null if the prompt or version does
 * not exist.
 */
export async function tuningStart(
  context: Pick<AppContext, 'database' | 'environmentKeys'>,
  name: string,
  version: string | null,
) {
  const { database } = context;
  const [prompt, found, { critic }] = await Promise.all([
    findPrompt(database, name),
    findPromptVersion(database.prisma, name, version === null ? 'newest' : { version: numberOf(version) }),
    findDefaultModels(context),
  ]);
  const model = prompt?.setup.models[0];
  if (prompt === null || found === null || model === undefined) return null;
  const { datasetId, criteria } = prompt.setup;
  const settings = promptSettings(prompt.setup, found, model);
  const tuned = { name: prompt.name, version: found.number };
  const tune = { ...settings.tune, prompt: tuned };
  const started: ExperimentSettings = { ...settings, maxIterations: PROPOSALS, reflectionModel: critic, tune };
  return { ...tuned, datasetId, hasCriteria: criteria.length > 0, settings: started };
}

/** Initial number of proposals: enough to show if reflection helps, few enough to afford. */
const PROPOSALS = 8;

/** Returns 0 for an invalid number because no version has the number 0. */
function numberOf(version: string): number {
  return /^[1-9]\d{0,6}$/.test(version) ? Number(version) : 0;
}
