import type { LessonFields, ScreeningFinding } from '#lib/core/lesson-library.ts';
import type { StepCall } from '#lib/core/model-request.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { sumSpend } from '#lib/core/spend.ts';
import type { StepResult } from '#lib/core/step.ts';
import { checkWithModel } from './check-with-model.ts';
import type { NewCheck } from './load-lesson.ts';
import { type LessonParts, redactParts } from './redact-parts.ts';
import { screenLesson } from './screen-lesson.ts';

/** A lesson's redacted parts, the rows that record the checks, and the findings of the screening. */
export type CheckedText = {
  text: string;
  fields: LessonFields;
  sourceInput: string;
  checks: NewCheck[];
  findings: ScreeningFinding[];
};

/** Redacts and screens a text before it is stored as the state `edit` of a lesson. The original is never stored. */
export async function checkText(parts: LessonParts, edit: number, now: Date): Promise<CheckedText> {
  const { found, ...clean } = await redactParts(parts);
  const findings = screenedText(clean.text);
  const createdAt = now.toISOString();
  return {
    ...clean,
    findings,
    checks: [
      { kind: 'redact', outcome: found.length === 0 ? 'clear' : 'redacted', found, edit, createdAt },
      { kind: 'screen', outcome: findings.length === 0 ? 'clear' : 'held', findings, edit, createdAt },
    ],
  };
}

/** Returns the screening findings in a text, reduced to the stored fields. */
export function screenedText(text: string): ScreeningFinding[] {
  return screenLesson(text).map(({ family, rule, matched }) => ({ family, rule, matched }));
}

type Screening = { settings: ExperimentSettings; call: StepCall; step: number; now: Date };

/**
 * Screens a lesson before its result is recorded, like its later admission (redacted first). A lesson that will be held is thus also
 * withheld from the prompts of the run that wrote it. If `lessons.check` names a model, it checks lessons that passed the patterns. The
 * findings stay recorded, whatever happens to the lesson. Null if the model's call was aborted.
 */
export async function withScreening(
  result: StepResult,
  { settings, call, step, now }: Screening,
): Promise<StepResult | null> {
  if (result.type !== 'lesson') return result;
  const { lesson } = result;
  const { kind, fields } = lesson;
  const { text, findings } = await checkText({ kind, text: lesson.text, fields, sourceInput: '' }, 0, now);
  if (findings.length > 0) return { ...result, lesson: { ...lesson, withheld: true } };
  const { check: model } = settings.lessons;
  if (model === null) return result;
  const checked = await checkWithModel({ model, call, step, index: 0 }, text);
  if (checked === null) return null;
  const { modelCheck, spend } = checked;
  const known = { ...lesson, ...sumSpend([lesson, spend]), modelCheck };
  return { ...result, lesson: modelCheck.outcome === 'held' ? { ...known, withheld: true } : known };
}
