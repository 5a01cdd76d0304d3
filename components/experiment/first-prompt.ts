import { messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatTitle } from '#lib/format.ts';
import { type CriterionDraft, newCriterion } from './criterion-draft.ts';
import type { FormSettings } from './form-settings.ts';

/** Where the text of the prompt field is kept. */
type PromptPath = 'generator.instructions' | 'prompts.generate';

/** The setting that the prompt field stands for: instructions, or a template where the only text is one. */
export function promptPath({ generator, prompts }: FormSettings): PromptPath {
  return generator.instructions === '' && prompts.generate ? 'prompts.generate' : 'generator.instructions';
}

/** The text of the prompt field. */
export function promptOf(settings: FormSettings): string {
  return promptPath(settings) === 'prompts.generate'
    ? (settings.prompts.generate ?? '')
    : settings.generator.instructions;
}

/**
 * The settings with another prompt. A text with variables is filled in from the case, any other is sent before it; where both are in use,
 * the field changes the instructions only. A criterion that came from the prompt follows it, unless the settings are to be compared with
 * those they were copied from.
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

/** What an answer to a prompt is judged by while nobody has said otherwise. */
export function derivedCriterion(prompt: string): CriterionDraft {
  // Judges fill in variables of their own.
  const task = formatTitle(prompt.replaceAll(/\{\{\s*([^{}]*?)\s*\}\}/g, 'the $1'), QUOTED_CHARACTERS);
  return {
    ...newCriterion(0),
    name: 'task_done',
    description: `The answer does what the task asks for, completely and correctly.${task === '' ? '' : ` The task: ${task}`}`,
  };
}

/** The settings with the criterion that comes from their prompt, for a prompt that has no criteria. */
export function withDerivedCriterion(settings: FormSettings): FormSettings {
  return { ...settings, criteria: [derivedCriterion(settings.prompts.generate ?? promptOf(settings))] };
}

/** Whether the criteria are the one that came from the prompt. */
export function isDerived(settings: FormSettings): boolean {
  const [only, ...others] = settings.criteria;
  if (only === undefined || others.length > 0) return false;
  const { description, ...rest } = derivedCriterion(promptOf(settings));
  return (
    only.description === description &&
    only.name === rest.name &&
    only.weight === rest.weight &&
    only.threshold === rest.threshold &&
    only.evaluator === rest.evaluator &&
    Object.values(only.configs[only.evaluator] ?? {}).every((entry) => entry === '')
  );
}

const LONGEST_NAME = 60;

const IMPROVED: Record<ExperimentSettings['mode'], string> = { revise: 'revised', retry: 'retried', tune: 'tuned' };

/** A name for an experiment that has none: its target and mode, else the beginning of its prompt or task description, else of its input. */
export function suggestedName(settings: FormSettings, input: string): string {
  const { generator, mode, tune } = settings;
  if (generator.target !== null) return `${generator.target.name}, ${IMPROVED[mode]}`;
  const text = (promptOf(settings) || tune.task || '').replaceAll(/\{\{.*?\}\}/g, ' ');
  return formatTitle(text, LONGEST_NAME).replace(/:$/, '') || formatTitle(input, LONGEST_NAME);
}
