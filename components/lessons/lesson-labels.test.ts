import { describe, expect, test } from 'vitest';
import { LESSON_KINDS, lessonText } from '#lib/core/lesson-schema.ts';
import { kindLabel, lessonTitle, scopeLabel, statusLabel } from './lesson-labels.ts';

describe('lesson labels', () => {
  test.each([
    { scope: { agent: null, taskType: null, tools: [] }, says: 'all agents, any task' },
    { scope: { agent: 'default', taskType: 'code', tools: [] }, says: 'agent default, code tasks' },
    { scope: { agent: null, taskType: null, tools: ['run_python'] }, says: 'all agents, tool run_python' },
    { scope: { agent: 'a', taskType: null, tools: ['b', 'c'] }, says: 'agent a, tools b, c' },
  ])('$says', ({ scope, says }) => {
    expect(scopeLabel(scope)).toBe(says);
  });

  test.each([
    { status: 'candidate', admission: 'waiting', says: 'candidate, being screened' },
    { status: 'candidate', admission: 'staged', says: 'candidate, not screened yet' },
    { status: 'candidate', admission: 'held', says: 'held by screening' },
    { status: 'quarantined', admission: 'admitted', says: 'waits for review' },
    { status: 'promoted', admission: 'admitted', says: 'promoted' },
    { status: 'archived', admission: 'admitted', says: 'archived' },
    { status: 'archived', admission: 'admitted', archiveYear: 2025, says: 'archived, 2025' },
  ] as const)('$status, $admission: $says', ({ says, ...lesson }) => {
    expect(statusLabel({ ...lesson, mergedIntoId: null })).toBe(says);
  });

  test('labels a merged lesson as merged', () => {
    const merged = { status: 'archived', admission: 'admitted', mergedIntoId: 'a' } as const;
    expect(statusLabel(merged)).toBe('merged');
  });

  test.each([
    { kind: 'lesson', text: '\n  Name the unit.\nMore.', title: 'Name the unit.' },
    { kind: 'lesson', text: 'Pattern: no label of this kind', title: 'Pattern: no label of this kind' },
    {
      kind: 'skill_card',
      text: lessonText('skill_card', { pattern: 'Counted over a window', strategy: 'Forget first' }),
      title: 'Counted over a window',
    },
    { kind: 'principle', text: '', title: '' },
  ] as const)('the title of $kind $text', ({ title, ...lesson }) => {
    expect(lessonTitle(lesson)).toBe(title);
  });

  test('kind labels contain no underscores', () => {
    expect(LESSON_KINDS.map(kindLabel).filter((words) => words.includes('_'))).toEqual([]);
  });
});
