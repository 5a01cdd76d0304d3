import type { RecalledText } from '#lib/core/lesson-schema.ts';
import type { Case } from '../case.ts';
import type { WrittenLesson } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { quote } from './quote.ts';
import { recalledSection } from './recalled-section.ts';
import type { Prompt } from './render-template.ts';
import { quotedList, quotedTask, taskInstructions } from './task-text.ts';

/**
 * Asks for a first draft, or (retry mode) a fresh attempt with the run's own lessons, word for word, in its prompt. `recalled`: advice
 * from the library; `wrong`: what reflections said of the way here; `guidance`: what people ask of this attempt; `cutOffs`:
 * what became of attempts that were cut off, by `cutOffSection`.
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
  const sections = [quotedTask(settings, task)];
  if (lessons.length > 0) {
    sections.push(
      'Earlier attempts at this task failed. Follow the lessons they left:',
      quote('lessons', lessons.map((lesson) => `- ${lesson.text}`).join('\n')),
    );
  }
  sections.push(...recalledSection(recalled));
  sections.push(...cutOffs);
  if (wrong.length > 0)
    sections.push('What went wrong before, to be done better this time:', ...quotedList('went_wrong', wrong));
  sections.push(...quotedList('guidance', guidance));
  return { instructions: taskInstructions(settings), prompt: sections.join('\n\n') };
}
