import { redactLesson } from './redact-lesson.ts';
import { SOURCE_INPUT_LENGTH } from './redact-parts.ts';

/** How much of an input is looked through, in characters. */
const LOOKED_THROUGH = 20_000;

/** The beginning of a run's input as a lesson learned from it may keep it: redacted, and only then cut, as half a secret is not known for one. */
export async function learnedFrom(input: string): Promise<string> {
  const { text } = await redactLesson(input.slice(0, LOOKED_THROUGH));
  return text.slice(0, SOURCE_INPUT_LENGTH);
}
