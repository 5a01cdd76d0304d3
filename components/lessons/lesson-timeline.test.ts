import { expect, test } from 'vitest';
import { listTimelineEntries } from './lesson-timeline.tsx';

const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`;
const state = { text: '', fields: {}, scope: { agent: null, taskType: null, tools: [] } };

test('merges edits, checks and votes of a lesson into one list, latest first', () => {
  const lesson: Parameters<typeof listTimelineEntries>[0] = {
    createdAt: at(0),
    editCount: 1,
    edits: [{ number: 0, before: state, after: state, actor: 'Ada', reason: 'shorter', createdAt: at(2) }],
    reviews: [
      { number: 0, verdict: 'reject', reason: 'too general', actor: 'Bo', createdAt: at(3) },
      { number: 1, verdict: 'restore', reason: '', actor: 'Ada', createdAt: at(4) },
    ],
    comments: [{ id: 'c', actor: 'Ada', text: 'Is it?', createdAt: at(1) }],
  };
  const vote = { verdict: 'reject', reason: 'hm', isMine: false } as const;
  const votes = [
    { ...vote, actor: 'Cy', createdAt: at(5), editCount: 1 },
    { ...vote, actor: 'Di', createdAt: at(6), editCount: 0, isMine: true },
    // An edit that was submitted with the verdict.
    { ...vote, actor: 'Bo', createdAt: at(3), editCount: 1 },
  ];
  const entries = listTimelineEntries(lesson, votes);
  expect(entries.map(({ who, label, text }) => [who, label, text])).toEqual([
    ['You', 'voted against it, an earlier text: it does not count', 'hm'],
    ['Cy', 'voted against it', 'hm'],
    ['Ada', 'restored', null],
    ['Bo', 'rejected', 'too general'],
    ['Ada', 'edited', null],
    ['Ada', 'commented', 'Is it?'],
    [null, 'Stored as a candidate', null],
  ]);
});
