import type { LessonKind, RecalledText } from '#lib/core/lesson-schema.ts';

export type LessonContent = Pick<RecalledText, 'kind' | 'text'>;

/** Formats a recalled lesson for a prompt. Further lines are indented, so that none can imitate a part of the prompt. */
export function recalledLine({ kind, text }: LessonContent): string {
  const lines = text
    .split(LINE_BREAK)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return `- ${LABELS[kind] ?? ''}${lines.join('\n  ')}`;
}

const LABELS: Partial<Record<LessonKind, string>> = { principle: 'Rule: ', procedure: 'Playbook: ' };

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
