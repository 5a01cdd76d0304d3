import { expect, test } from 'vitest';
import type { InboxItem } from '#lib/inbox/inbox-item.ts';
import { claimLabel, itemLabel } from './inbox-labels.ts';

const ITEM = {
  kind: 'verdict',
  mode: 'revise',
  hook: 'onReflection',
  asks: [],
  wouldStopAs: null,
  toolCall: null,
  scores: [0.5, 0.7],
  version: 1,
  versionCount: 2,
  bestScore: 0.7,
} satisfies Partial<InboxItem>;

test.each<[string, Partial<InboxItem>, string]>([
  ['would stop', { wouldStopAs: 'diminishing' }, 'before finishing: would stop as diminishing'],
  ['continues', {}, 'v1 at 0.70, before revision 2'],
  ['has a falling score', { scores: [0.83, 0.58] }, 'v1 fell from 0.83 to 0.58, before revision 2'],
  [
    'has a falling score in an attempt',
    { mode: 'retry', scores: [0.83, 0.58] },
    'v1 fell from 0.83 to 0.58, before attempt 3',
  ],
  ['is unscored', { scores: [0.5, null] }, 'before revision 2'],
  ['is a draft', { hook: 'onGeneration', scores: [], version: 0 }, 'Draft v0 waits for a review'],
  ['is an attempt', { mode: 'retry', hook: 'onGeneration', scores: [0.5], version: 1 }, 'Attempt 2 waits for a review'],
  ['is a revision', { hook: 'onRevision', scores: [0.5], version: 1 }, 'Revision v1 waits for a review'],
  [
    'needs approval of a tool call',
    { kind: 'tool', hook: 'onToolCall', scores: [], toolCall: { tool: 'http_get', arguments: '{}' } },
    'the agent wants to use http_get',
  ],
  ['needs one score', { kind: 'score', asks: ['taste'] }, 'needs your score for taste'],
  ['needs two scores', { kind: 'score', asks: ['taste', 'tone'] }, 'needs your score for taste and tone'],
  [
    'is escalated',
    { kind: 'escalated', mode: 'retry', versionCount: 5, bestScore: 0.78 },
    'unsolved after 5 attempts, best 0.78',
  ],
  [
    'is escalated without a score',
    { kind: 'escalated', mode: 'retry', versionCount: 1, bestScore: null },
    'unsolved after 1 attempt, no scores',
  ],
])('an item that %s', (_name, changes, expected) => {
  expect(itemLabel({ ...ITEM, ...changes }, true)).toBe(expected);
});

test("a person who may not score sees that a reviewer's score is needed", () => {
  expect(itemLabel({ ...ITEM, kind: 'score', asks: ['taste'] }, false)).toBe('needs a reviewer’s score for taste');
});

const NOW = new Date('2026-11-22T06:10:00.000Z');
test.each([
  ['another person', { who: 'another_person' as const, since: '2026-11-22T06:08:00.000Z' }, 'Ada opened it 2 min ago'],
  [
    'the same person in another window',
    { who: 'another_window' as const, since: '2026-11-22T06:09:50.000Z' },
    'Another window opened it just now',
  ],
  ['this window', { who: 'you' as const, since: '2026-11-22T06:08:00.000Z' }, null],
])('labels a claim of %s', (_name, claim, expected) => {
  expect(claimLabel({ ...claim, name: 'Ada' }, NOW)).toBe(expected);
});

test('returns null without a claim', () => expect(claimLabel(null, NOW)).toBeNull());
