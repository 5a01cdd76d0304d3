import type { LessonListItem } from '#lib/core/lesson-library.ts';
import { LESSON_FIELDS, type LessonKind } from '#lib/core/lesson-schema.ts';

/** A lesson while it is written: an empty entry for none. */
export type LessonDraft = {
  kind: LessonKind;
  /** Of kinds without a form. */
  text: string;
  /** What was typed by field name, of whichever kind: a change of kind loses nothing. */
  fields: Record<string, string>;
  block: string;
  /** For all agents, or for the one that `agent` names. */
  agents: 'all' | 'one';
  agent: string;
  taskType: string;
  /** Names with commas between. */
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

/** A draft that holds what a lesson says, ready to be edited. */
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

/** What a draft says: the text of a kind without a form, the fields of one with, and the scope. */
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
