import { isJudgedByModel, waitsForPerson } from '#lib/core/criterion.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { readClassificationPrompt } from './classification-prompt.ts';
import { exactTask } from './exact-task.ts';

/** Task length in characters above which most of it is probably input text, which the practice model does not read. */
const MAX_TASK_LENGTH = 400;
const USE_A_MODEL = 'Connect a provider and choose a real model for this.';

/**
 * Returns the reason why the practice model cannot do a task with these settings, with the remedy. Returns null if it can or is not used.
 */
export function practiceLimit(settings: ExperimentSettings, task: string): string | null {
  const { generator, prompts, criteria, mode } = settings;
  if (generator.provider !== PRACTICE_PROVIDER.name) return null;
  const prompt = [generator.instructions, prompts.generate ?? '', task].join('\n');
  if (exactTask(task) !== null || readClassificationPrompt(prompt) !== null) return null;
  if (mode === 'tune')
    return `The practice model can only tune prompts that sort texts by a list of labels. ${USE_A_MODEL}`;
  const checked = criteria.find((criterion) => !isJudgedByModel(criterion) && !waitsForPerson(criterion));
  if (checked !== undefined)
    return `The practice model works out sums and counts, and sorts texts by labels. It cannot find the answer that "${checked.name}" checks. ${USE_A_MODEL}`;
  if (task.trim().length > MAX_TASK_LENGTH)
    return `The practice model reads the first sentence of a task and writes a stock text about it. It does not read the rest. ${USE_A_MODEL}`;
  return null;
}
