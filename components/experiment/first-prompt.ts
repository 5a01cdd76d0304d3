import { messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatTitle } from '#lib/format.ts';
import { type CriterionDraft, newCriterion } from './criterion-draft.ts';
import type { FormSettings } from './form-settings.ts';

/** Setting that stores the text of the prompt field. */
type PromptPath = 'generator.instructions' | 'prompts.generate';

/** Returns the setting that stores the prompt: the instructions, or the template if only a template is set. */
export function promptPath({ generator, prompts }: FormSettings): PromptPath {
  return generator.instructions === '' && prompts.generate ? 'prompts.generate' : 'generator.instructions';
}

/** Returns the text of the prompt field. */
export function promptOf(settings: FormSettings): string {
  return promptPath(settings) === 'prompts.generate'
    ? (settings.prompts.generate ?? '')
    : settings.generator.instructions;
}

/**
 * Returns the settings with a changed prompt. Text with variables is stored as a template, other text as instructions before the case. If
 * both are in use, only the instructions change. A derived criterion follows the prompt, unless the settings are a copy to compare with the
 * original.
 */
export function withPrompt(settings: FormSettings, text: string, isCopy: boolean): FormSettings {
  const { generator, prompts } = settings;
  const criteria = !isCopy && isDerived(settings) ? [derivedCriterion(text)] : settings.criteria;
  const isBoth = generator.instructions !== '' && prompts.generate !== null && prompts.generate !== '';
  const isTemplate = !isBoth && (messagesOfPrompt(text) !== null || templateVariables(text).some(({ known }) => known));
  return {
    ...settings,
    criteria,
    generator: { ...generator, instructions: isTemplate ? '' : text },
    prompts: { ...prompts, generate: isTemplate ? text : isBoth ? prompts.generate : null },
  };
}

const QUOTED_CHARACTERS = 300;

/** Returns the default criterion of a prompt, used until the user edits the criteria. */
export function derivedCriterion(prompt: string): CriterionDraft {
  // Judge prompts substitute variables themselves, so the task must not contain any.
  const task = formatTitle(prompt.replaceAll(/\{\{\s*([^{}]*?)\s*\}\}/g, 'the $1'), QUOTED_CHARACTERS);
  return {
    ...newCriterion(0),
    name: 'task_done',
    description: `The answer does what the task asks for, completely and correctly.${task === '' ? '' : ` The task: ${task}`}`,
  };
}

/** Returns the settings with the criterion derived from their prompt, for a prompt without criteria. */
export function withDerivedCriterion(settings: FormSettings): FormSettings {
  return { ...settings, criteria: [derivedCriterion(settings.prompts.generate ?? promptOf(settings))] };
}

/** True if the only criterion is the unedited one derived from the prompt. */
export function isDerived(settings: FormSettings): boolean {
  const [only, ...others] = settings.criteria;
  if (only === undefined || others.length > 0) return false;
  const { key: _key, configs: _configs, ...derived } = derivedCriterion(promptOf(settings));
  const { key: _, configs, ...rest } = only;
  const isSame = Object.entries(derived).every(([name, value]) => rest[name as keyof typeof rest] === value);
  return isSame && Object.values(configs[only.evaluator] ?? {}).every((entry) => entry === '');
}

const MAX_NAME_LENGTH = 60;

const MODE_PARTICIPLES: Record<ExperimentSettings['mode'], string> = {
  revise: 'revised',
  retry: 'retried',
  tune: 'tuned',
};

/** Returns a default name: the target and mode, or else the start of the prompt or task description, or else of the input. */
export function suggestedName(settings: FormSettings, input: string): string {
  const { generator, mode, tune } = settings;
  if (generator.target !== null) return `${generator.target.name}, ${MODE_PARTICIPLES[mode]}`;
  const text = (promptOf(settings) || tune.task || '').replaceAll(/\{\{.*?\}\}/g, ' ');
  return formatTitle(text, MAX_NAME_LENGTH).replace(/:$/, '') || formatTitle(input, MAX_NAME_LENGTH);
}
