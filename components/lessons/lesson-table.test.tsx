import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { LessonListItem } from '#lib/core/lesson-library.ts';
import { LessonTable } from './lesson-table.tsx';

const LESSON: LessonListItem = {
  ...{ id: 'a', kind: 'lesson', status: 'promoted', text: 'Check the units.', block: 'b', fields: {} },
  ...{ source: { runId: null, version: null, iteration: null, input: '', score: null }, createdBy: 'Ada' },
  ...{ createdAt: '2026-01-01T00:00:00Z', admission: 'admitted', mergedIntoId: null, isRefuted: false },
  ...{ scope: { agent: null, taskType: null, tools: [] }, helpful: 0, harmful: 0, neutral: 0, used: 0 },
  ...{ lastUsedAt: null, reviewedBy: null, reviewedAt: null, archiveYear: null },
};

test('a merged lesson is marked and links to the lesson that replaced it', () => {
  const merged: LessonListItem = { ...LESSON, id: 'b', status: 'archived', mergedIntoId: 'a' };
  const html = renderToStaticMarkup(<LessonTable lessons={[LESSON, merged]} lifts={{}} />);
  expect(html.match(/merged|href="\/lessons\/[^"]+"/g)).toEqual([
    ...['href="/lessons/a"', 'href="/lessons/b"', 'merged', 'href="/lessons/a"'],
  ]);
});
