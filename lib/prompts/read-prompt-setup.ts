import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findDataset } from '#lib/datasets/find-dataset.ts';
import { readSettings } from '#lib/experiments/read-settings.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type PromptSetup, promptSetupSchema } from './prompt-library.ts';
import { promptSettings } from './prompt-settings.ts';

/**
 * Checks what a prompt is to be tried with: the dataset is there, and its models and criteria are ones that an experiment of the same
 * settings could run with. Fields are named as in the setup.
 */
export async function readPromptSetup(context: AppContext, input: unknown): Promise<Result<PromptSetup>> {
  const parsed = parseInput(promptSetupSchema, input);
  if (!parsed.ok) return parsed;
  const setup = parsed.value;
  const embedded = setup.criteria.findIndex((one) => one.evaluator === 'reference' && one.config.match === 'embedding');
  if (embedded >= 0)
    return refused(`criteria.${embedded}.config.match`, 'must not be embedding: prompts are scored without vectors');
  const human = setup.criteria.findIndex(({ evaluator }) => evaluator === 'human');
  if (human >= 0)
    return refused(
      `criteria.${human}.evaluator`,
      'must not be human: nobody is asked while a prompt is tried on cases',
    );
  for (const [position, model] of setup.models.entries()) {
    const { prompts, criteria, ...settings } = promptSettings({ ...setup, criteria: [] }, '{{input}}', model);
    const scored = setup.criteria.length === 0 ? criteria : setup.criteria;
    const read = await readSettings(context, { name: 'prompt', ...settings, prompts, criteria: scored });
    if (read.ok) continue;
    const { message, field, code } = read.problem;
    const named = (words: string) => words.replace(/^generator\./, `models.${position}.`);
    return fail(code, named(message), field === null ? null : named(field));
  }
  if (setup.datasetId !== null && (await findDataset(context.database, setup.datasetId, 1)) === null)
    return refused('datasetId', 'there is no dataset with this id. Import the cases first, or leave it out');
  return succeed(setup);
}

function refused(field: string, words: string): Result<never> {
  return fail('invalid', `${field}${words.startsWith('must') ? ' ' : ': '}${words}.`, field);
}
