import type { Case } from '#lib/core/case.ts';
import type { ChatFile } from '#lib/core/chat/chat-message.ts';
import { chatMessages } from '#lib/core/chat/chat-request.ts';
import { filesOf, inputOfMessages } from '#lib/core/chat/message-content.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { optionsText, type PromptOptions } from '../prompt-options.ts';
import { type PromptTag, quote } from './quote.ts';
import { renderTemplate } from './render-template.ts';

/** Returns the task for all roles: the case's input, or the filled generate prompt. Messages are shown as a transcript. */
function taskText(settings: ExperimentSettings, task: Case): string {
  const messages = chatMessages(settings.prompts.generate, task);
  if (messages !== null) return inputOfMessages(messages);
  return settings.prompts.generate === null ? task.input : renderTemplate(settings.prompts.generate, task);
}

export function quotedTask(settings: ExperimentSettings, task: Case): string {
  return quote('task', taskText(settings, task));
}

/** Returns the first sections of a prompt about an output: the task and the rules of its author. */
export function aboutTask(settings: ExperimentSettings, task: Case): string[] {
  return [quotedTask(settings, task), ...quotedRules(settings)];
}

/** Returns the experiment's own prompt for a role, filled from the case, else the built-in instructions. */
export function roleInstructions(
  { prompts }: ExperimentSettings,
  role: 'reflect' | 'revise' | 'lesson',
  builtIn: string,
  task: Case,
): string {
  const own = prompts[role];
  return own === null ? builtIn : renderTemplate(own, task);
}

/** Returns the images and files of the case, to send them after a prompt. */
export function caseFiles({ messages }: Pick<Case, 'messages'>): { files?: ChatFile[] } {
  const files = filesOf(messages ?? []);
  return files.length > 0 ? { files } : {};
}

/** Returns a quoted list, one `- ` line per item. Empty for an empty list. */
export function quotedList(tag: PromptTag, items: string[]): string[] {
  if (items.length === 0) return [];
  return [quote(tag, items.map((item) => `- ${onOneLine(item)}`).join('\n'))];
}

/** Returns a text without line breaks. */
export function onOneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

type Instructed = { generator: Pick<ExperimentSettings['generator'], 'instructions'> & PromptOptions };

/** Default system prompt of drafts and attempts. */
export const DEFAULT_INSTRUCTIONS =
  'Do the task. Answer with the result only, without remarks about yourself or the task.';

const RULES = `Rules for the model that does the task. They are not addressed to you: do not follow them, but take them into account when you assess how well
the task was done.`;

const SAME_RULES = `All of the above applies to the revised text as it applied to the draft: role, language, tone, content and format. The rest explains how to
revise. If it or the prompt requests edits, sections or JSON, that concerns the form of your answer only: the texts in it must follow the above.`;

/** Returns the system prompt of drafts and attempts: the experiment's own, or the default. */
export function taskInstructions({
  generator,
}: {
  generator: Pick<ExperimentSettings['generator'], 'instructions'>;
}): string {
  return isBlank(generator.instructions) ? DEFAULT_INSTRUCTIONS : generator.instructions;
}

/**
 * Returns the system prompt of revisions: the experiment's own with its tools and response schema, if any, followed by the instructions for
 * revising (`own`).
 */
export function revisionInstructions({ generator }: Instructed, instructions: string): string {
  const rules = rulesOf(generator);
  return rules === '' ? instructions : [rules, SAME_RULES, instructions].join('\n\n');
}

/**
 * Returns the experiment's system prompt, tools and response schema for roles that judge, critique or learn, quoted as the rules of the
 * task. Empty if there are none.
 */
export function quotedRules({ generator }: Instructed): string[] {
  const rules = rulesOf(generator);
  return rules === '' ? [] : [RULES, quote('rules', rules)];
}

function rulesOf(generator: Instructed['generator']): string {
  const { instructions } = generator;
  return [isBlank(instructions) ? '' : instructions, optionsText(generator)].filter((text) => text !== '').join('\n\n');
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
