import type { LessonListItem } from '#lib/core/lesson-library.ts';
import { LESSON_FIELDS, type LessonKind } from '#lib/core/lesson-schema.ts';

/** Form values of a lesson. Empty strings mean none. */
export type LessonDraft = {
  kind: LessonKind;
  /** Text of a kind without fields. */
  text: string;
  /** Values by field name, of all kinds. Changing the kind loses nothing. */
  fields: Record<string, string>;
  block: string;
  /** Scope: all agents, or the one named in `agent`. */
  agents: 'all' | 'one';
  agent: string;
  taskType: string;
  tools: string;
};

export const NEW_LESSON: LessonDraft = {
  kind: 'lesson',
  text: '',
  fields: {},
  block: '',
  agents: 'all',
  agent: '',
  taskType: '',
  tools: '',
};

/** Converts a lesson to form values. */
export function toLessonDraft({ kind, text, fields, block, scope }: LessonListItem): LessonDraft {
  return {
    kind,
    text,
    fields,
    block,
    agents: scope.agent === null ? 'all' : 'one',
    agent: scope.agent ?? '',
    taskType: scope.taskType ?? '',
    tools: scope.tools.join(', '),
  };
}

/** Converts form values to a lesson: its text or its fields, depending on the kind, and its scope. */
export function lessonOf(draft: LessonDraft) {
  const form = LESSON_FIELDS[draft.kind];
  return {
    ...(form.length === 0
      ? { text: draft.text }
      : { fields: Object.fromEntries(form.map(({ name }) => [name, draft.fields[name] ?? ''])) }),
    scope: {
      agent: draft.agents === 'all' ? null : draft.agent.trim(),
      taskType: draft.taskType.trim() === '' ? null : draft.taskType.trim(),
      tools: draft.tools
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    },
  };
}
