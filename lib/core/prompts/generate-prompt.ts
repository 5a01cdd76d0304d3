import type { RecalledText } from '#lib/core/lesson-schema.ts';
import type { Case } from '../case.ts';
import { chatMessages, isWrittenPrompt } from '../chat/chat-request.ts';
import { inputOfMessages } from '../chat/message-content.ts';
import type { WrittenLesson } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { quote } from './quote.ts';
import { recalledSection } from './recalled-section.ts';
import type { Prompt } from './render-template.ts';
import { caseFiles, quotedList, quotedTask, taskInstructions } from './task-text.ts';

/**
 * Builds the prompt for a first draft, or (retry mode) for a fresh attempt with the run's own lessons, verbatim. `recalled`: lessons from
 * the library. `wrong`: reflections on the work so far. `guidance`: people's instructions for this attempt. `cutOffs`: attempts that were
 * cut off, from `cutOffSection`.
 * A prompt, or a case that is a conversation, is sent as messages, exactly as written and without tags around them. The sections that Hone
 * adds are appended to the last user message. The experiment's system prompt precedes the system messages. The default one is only sent for
 * a case without a prompt and without system messages.
 */
export function generatePrompt(
  settings: ExperimentSettings,
  task: Case,
  lessons: WrittenLesson[],
  {
    recalled = [],
    wrong = [],
    guidance = [],
    cutOffs = [],
  }: { recalled?: RecalledText[]; wrong?: string[]; guidance?: string[]; cutOffs?: string[] } = {},
): Prompt {
  const sections: string[] = [];
  if (lessons.length > 0) {
    sections.push(
      'Earlier attempts at this task failed. Follow their lessons:',
      quote('lessons', lessons.map((lesson) => `- ${lesson.text}`).join('\n')),
    );
  }
  sections.push(...recalledSection(recalled));
  sections.push(...cutOffs);
  if (wrong.length > 0)
    sections.push('Problems of earlier attempts, to avoid this time:', ...quotedList('went_wrong', wrong));
  sections.push(...quotedList('guidance', guidance));
  const messages = chatMessages(settings.prompts.generate, task);
  if (messages === null) {
    return {
      instructions: taskInstructions(settings),
      prompt: [quotedTask(settings, task), ...sections].join('\n\n'),
      ...caseFiles(task),
    };
  }
  const isWritten = messages.some(({ role }) => role === 'system') || isWrittenPrompt(settings.prompts.generate);
  return {
    instructions: isWritten ? settings.generator.instructions.trim() : taskInstructions(settings),
    prompt: [inputOfMessages(messages), ...sections].join('\n\n'),
    messages,
    ...(sections.length > 0 && { closing: sections.join('\n\n') }),
  };
}
