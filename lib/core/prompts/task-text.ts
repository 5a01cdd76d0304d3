import type { Case } from '../case.ts';
import type { ExperimentSettings } from '../settings.ts';
import { type PromptTag, quote } from './quote.ts';
import { renderTemplate } from './render-template.ts';

/** The task as every role sees it: the case's input, or the experiment's own generate prompt filled from the case. */
export function taskText(settings: ExperimentSettings, task: Case): string {
  return settings.prompts.generate === null ? task.input : renderTemplate(settings.prompts.generate, task);
}

export function quotedTask(settings: ExperimentSettings, task: Case): string {
  return quote('task', taskText(settings, task));
}

/** A quoted list, one `- ` line an item; nothing at all for an empty list. */
export function quotedList(tag: PromptTag, items: string[]): string[] {
  if (items.length === 0) return [];
  return [quote(tag, items.map((item) => `- ${onOneLine(item)}`).join('\n'))];
}

/** A text without its line ends. */
export function onOneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
