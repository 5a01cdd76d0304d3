import { exactTask } from './exact-task.ts';
import { flawsIn, flawsSpokenOf } from './flaws.ts';
import type { PromptParts } from './read-prompt.ts';
import { taskTerms } from './task-terms.ts';

const MOST_FLAWS = 3;

/**
 * One sentence of advice from a failed attempt: about the flaws the feedback names, else those that can be seen in the attempt,
 * leaving out what earlier lessons say already.
 */
export function lesson(parts: PromptParts): string {
  const task = parts.get('task') ?? '';
  const attempt = parts.get('attempt') ?? '';
  const feedback = parts.get('feedback') ?? '';
  if (feedback.trim() === '') return 'Next time, read the task again before answering.';
  const earlier = parts.get('lessons') ?? '';
  const exact = exactTask(task);
  if (exact !== null) return exact.lesson(attempt, earlier);
  const found = flawsIn(attempt, taskTerms(task)).map(({ flaw }) => flaw);
  const known = flawsSpokenOf(earlier);
  const told = flawsSpokenOf(feedback).filter((flaw) => found.includes(flaw));
  const open = (told.length > 0 ? told : found).filter((flaw) => !known.includes(flaw)).slice(0, MOST_FLAWS);
  if (open.length === 0) return 'Next time, keep to the earlier lessons and check the result against the task.';
  return `Next time, ${joined(open.map((flaw) => flaw.advice))}.`;
}

function joined(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join('; ')}; and ${parts.at(-1)}`;
}
