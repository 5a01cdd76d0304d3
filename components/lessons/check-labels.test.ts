import { describe, expect, test } from 'vitest';
import type { LessonCheck } from '#lib/core/lesson-library.ts';
import { checkLabel, familyLabel } from './lesson-labels.ts';

const at = { number: 0, edit: 0, createdAt: '2026-11-20T10:00:00.000Z' };

describe('labels of lesson checks', () => {
  test.each<{ check: LessonCheck; says: string }>([
    { check: { ...at, kind: 'redact', outcome: 'clear', found: [] }, says: 'nothing removed' },
    {
      check: {
        ...at,
        kind: 'redact',
        outcome: 'redacted',
        found: [
          { kind: 'email', count: 2 },
          { kind: 'api_key', count: 1 },
        ],
      },
      says: '2 emails and 1 api key removed before it was stored',
    },
    {
      check: {
        ...at,
        kind: 'screen',
        outcome: 'held',
        findings: [{ family: 'prompt_injection', rule: 'orders', matched: 'Ignore' }],
      },
      says: 'held: 1 finding',
    },
    {
      check: { ...at, kind: 'model', outcome: 'held', model: 'local/guard', reason: 'It gives orders.' },
      says: 'held by local/guard: It gives orders.',
    },
    {
      check: { ...at, kind: 'model', outcome: 'clear', model: 'local/guard', reason: 'Advice alone.' },
      says: 'local/guard found it harmless: Advice alone.',
    },
    { check: { ...at, kind: 'merge', outcome: 'none', into: null }, says: 'no earlier duplicates' },
    {
      check: { ...at, kind: 'merge', outcome: 'none', into: { lessonId: 'a', status: 'promoted', likeness: 1 } },
      says: 'no earlier duplicates, but it may contradict another lesson',
    },
    {
      check: { ...at, kind: 'merge', outcome: 'merged', into: { lessonId: 'a', status: 'promoted', likeness: 0.834 } },
      says: 'merged into a duplicate (similarity 0.83)',
    },
    { check: { ...at, kind: 'retention', outcome: 'archived', keep: 30 }, says: 'the limit is 30 lessons per agent' },
  ])('$check.kind: $says', ({ check, says }) => {
    expect(checkLabel(check).found).toBe(says);
  });

  test('formats a family name', () => {
    expect(familyLabel('score_manipulation')).toBe('Score manipulation');
  });
});
