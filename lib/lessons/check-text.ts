import type { LessonFields, ScreeningFinding } from '#lib/core/lesson-library.ts';
import type { NewCheck } from './lesson-checks.ts';
import { type LessonParts, redactParts } from './redact-parts.ts';
import { screenLesson } from './screen-lesson.ts';

/** A lesson's parts as they may be kept, the rows that say what was done to them, and what the screening found. */
export type CheckedText = {
  text: string;
  fields: LessonFields;
  sourceInput: string;
  checks: NewCheck[];
  findings: ScreeningFinding[];
};

/** Redacts and screens what is about to be stored as the state `edit` of a lesson: the original is never stored. */
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

/** What the screening finds in a text, without what else the screener may say of it. */
export function screenedText(text: string): ScreeningFinding[] {
  return screenLesson(text).map(({ family, rule, matched }) => ({ family, rule, matched }));
}
