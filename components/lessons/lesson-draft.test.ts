import { describe, expect, test } from 'vitest';
import { type LessonDraft, lessonOf, NEW_LESSON } from './lesson-draft.ts';

describe('lessonOf', () => {
  test.each<{ name: string; draft: LessonDraft; says: ReturnType<typeof lessonOf> }>([
    {
      name: 'a kind without fields is stored as text',
      draft: { ...NEW_LESSON, text: 'Name the unit.', fields: { why: 'left from another kind' } },
      says: { text: 'Name the unit.', scope: { agent: null, taskType: null, tools: [] } },
    },
    {
      name: 'a kind with fields stores all of them, including empty ones',
      draft: { ...NEW_LESSON, kind: 'tool_policy', text: 'left', fields: { tool: 'run_python', other: 'x' } },
      says: { fields: { tool: 'run_python', constraint: '' }, scope: { agent: null, taskType: null, tools: [] } },
    },
    {
      name: 'the scope contains the fields that were filled in',
      draft: { ...NEW_LESSON, text: 'a', agents: 'one', agent: ' default ', taskType: 'code', tools: 'a, b,, ' },
      says: { text: 'a', scope: { agent: 'default', taskType: 'code', tools: ['a', 'b'] } },
    },
    {
      name: 'a lesson for all agents has no scope, even if one was typed before',
      draft: { ...NEW_LESSON, text: 'a', agents: 'all', agent: 'default' },
      says: { text: 'a', scope: { agent: null, taskType: null, tools: [] } },
    },
  ])('$name', ({ draft, says }) => {
    expect(lessonOf(draft)).toEqual(says);
  });
});
