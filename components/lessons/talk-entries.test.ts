import { expect, test } from 'vitest';
import { talkEntries } from './talk-entries.ts';

const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`;
const state = { text: '', fields: {}, scope: { agent: null, taskType: null, tools: [] } };

test('what was done with a lesson and said of it stands in one list, latest first', () => {
  const entries = talkEntries({
    createdAt: at(0),
    edits: [{ number: 0, before: state, after: state, actor: 'Ada', reason: 'shorter', createdAt: at(2) }],
    reviews: [
      { number: 0, verdict: 'reject', reason: 'too general', actor: 'Bo', createdAt: at(3) },
      { number: 1, verdict: 'restore', reason: '', actor: 'Ada', createdAt: at(4) },
    ],
    comments: [{ id: 'c', actor: 'Ada', text: 'Is it?', createdAt: at(1) }],
  });
  expect(entries.map(({ who, words, text }) => [who, words, text])).toEqual([
    ['Ada', 'restored', null],
    ['Bo', 'rejected', 'too general'],
    ['Ada', 'edited', null],
    ['Ada', 'said', 'Is it?'],
    [null, 'Stored as a candidate', null],
  ]);
});
