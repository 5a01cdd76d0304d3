import type { History } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { firstPromptCases } from '#lib/core/tuning/minibatch.ts';

/** Characters of the prompt and of each case used for the search. Rare terms are decisive, and embedding models accept only short texts. */
const PROMPT_CHARACTERS = 2_000;
const CASE_CHARACTERS = 500;

/**
 * Returns the query for lessons for the reflection model: the task or the first prompt, and the inputs of a few training cases, drawn with
 * the seed. It is constant during the run, so all proposals get the same lessons unless lessons change. Validation and held-out cases are
 * not used.
 */
export function recallQuestion(
  { versions, cases }: Pick<History, 'versions' | 'cases'>,
  { prompts, tune }: Pick<ExperimentSettings, 'prompts' | 'tune'>,
): string {
  const task = tune.task ?? versions[0]?.output ?? prompts.generate ?? '';
  const inputs = firstPromptCases({ cases }, { tune }).flatMap((position) =>
    cases.flatMap((one) => (one.position === position ? [one.input.slice(0, CASE_CHARACTERS)] : [])),
  );
  return [task.slice(0, PROMPT_CHARACTERS), ...inputs].join('\n').toWellFormed();
}
