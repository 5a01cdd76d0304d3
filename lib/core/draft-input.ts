import type { Prompt } from '#lib/core/prompts/render-template.ts';
import { cutOffSection } from '#lib/core/prompts/sections.ts';
import { guidanceSince } from './decisions.ts';
import { ownLessons, type StepLessons, stepLessons } from './lesson-form.ts';
import { generatePrompt } from './prompts/generate-prompt.ts';
import { failuresSoFar, manualRemarks } from './reflections.ts';
import type { StepContext } from './step-context.ts';
import { attemptFeedback, targetPrompt } from './targets/target-request.ts';

/** Input of a draft or an attempt: its prompt, and the lessons in it. */
export type DraftInput = { lessons: StepLessons; prompt: Prompt };

type DraftContext = Pick<StepContext, 'history' | 'settings' | 'case' | 'recall'>;

/**
 * Finds the lessons for the next draft or attempt and builds its prompt. Returns null if aborted. An agent rebuilds it for each turn, and
 * `recall` returns the same lessons as for the first.
 */
export async function buildDraftInput({
  history,
  settings,
  case: task,
  recall,
}: DraftContext): Promise<DraftInput | null> {
  const isAttempt = settings.mode === 'retry';
  const lessons = await stepLessons(isAttempt ? ownLessons(history.lessons, settings) : [], recall);
  if (lessons === null) return null;
  const { own, recalled } = lessons;
  const last = history.versions.at(-1);
  const guidance = isAttempt && last !== undefined ? guidanceSince(history, last) : [];
  const wrong = [...(isAttempt ? manualRemarks(history) : []), ...failuresSoFar(history)];
  const { target } = settings.generator;
  if (target !== null) {
    const request = {
      purpose: 'attempt' as const,
      version: history.versions.length,
      feedback: attemptFeedback(wrong, guidance),
      lessons: [...own, ...recalled].map(({ text }) => text),
    };
    return { lessons, prompt: targetPrompt(target, task, request) };
  }
  const cutOffs = cutOffSection(history, settings);
  return { lessons, prompt: generatePrompt(settings, task, own, { recalled, cutOffs, wrong, guidance }) };
}
