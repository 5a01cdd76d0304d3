import type { StepResult } from '#lib/reflection/step.ts';
import { checkText } from './check-text.ts';

/**
 * A result as it is to be recorded: a lesson is screened at once, as its admission will screen it (redacted first), so that one which
 * will be held is withheld from the prompts of its own run too. What was found then stays on record, whatever becomes of the lesson.
 */
export async function withScreening(result: StepResult, now: Date): Promise<StepResult> {
  if (result.type !== 'lesson') return result;
  const { kind, text, fields } = result.lesson;
  const { findings } = await checkText({ kind, text, fields, sourceInput: '' }, 0, now);
  return findings.length === 0 ? result : { ...result, lesson: { ...result.lesson, withheld: true } };
}
