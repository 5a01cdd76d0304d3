import { LESSON_FIELDS, type LessonKind } from '#lib/core/lesson-schema.ts';
import type { Problem } from '#lib/core/problem.ts';

/** Whether the form of a kind has the field at fault: else what is wrong must be said elsewhere. */
export function isShownAtField(kind: LessonKind, { field }: Problem): boolean {
  const own = LESSON_FIELDS[kind];
  const shown = own.length === 0 ? ['text'] : ['fields', ...own.map(({ name }) => `fields.${name}`)];
  return field !== null && [...shown, 'kind', 'block', 'scope.agent', 'scope.taskType', 'scope.tools'].includes(field);
}

/** Goes to the first field that is wrong, a frame later, when it is marked. */
export function focusWrongField(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus());
}
