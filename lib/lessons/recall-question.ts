import type { History } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { firstPromptCases } from '#lib/core/tuning/minibatch.ts';

/** Characters of the prompt, and of each case, that lessons are looked for by: rare terms decide, and embedding models take short texts. */
const PROMPT_CHARACTERS = 2_000;
const CASE_CHARACTERS = 500;

/**
 * What lessons for the reflection model are looked for by: the task or the first prompt, and the inputs of a few training cases, drawn by the seed. It
 * stays the same over the run, so that all proposals see the same lessons, unless lessons change. Validation and held-out cases are not used.
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
