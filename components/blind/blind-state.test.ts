import { describe, expect, test } from 'vitest';
import {
  afterChoice,
  afterLeaving,
  afterRecall,
  afterRefill,
  afterSending,
  afterSkip,
  afterUndo,
  type BlindState,
  blindState,
  hasMore,
} from './blind-state.ts';

const pair = (name: string) => ({
  pair: name,
  task: 'task',
  messages: null,
  left: `${name} left`,
  right: `${name} right`,
});
const start = (names: string[], remaining = names.length) =>
  blindState({ items: names.map(pair), judged: 2, remaining });
const shown = ({ queue, skipped, unsent, sent, judged, remaining }: BlindState) => ({
  queue: queue.map((one) => one.pair).join(''),
  skipped: skipped.map((one) => one.pair).join(''),
  unsent: unsent === null ? null : `${unsent.pair.pair} ${unsent.choice}`,
  sent: sent.join(''),
  judged,
  remaining,
});

describe('choices', () => {
  test.each<[string, BlindState, Partial<ReturnType<typeof shown>>]>([
    [
      'the first choice is held and not sent yet',
      afterChoice(start(['a', 'b']), 'left', 3),
      { queue: 'b', unsent: 'a left', sent: '', judged: 3, remaining: 1 },
    ],
    [
      'the second choice sends the first',
      afterChoice(afterChoice(start(['a', 'b']), 'left', 3), 'tie', 1),
      { queue: '', unsent: 'b tie', sent: 'a', judged: 4, remaining: 0 },
    ],
    [
      'undo withdraws the last choice and shows its pair again',
      afterUndo(afterChoice(start(['a', 'b']), 'right', 3)),
      { queue: 'ab', unsent: null, sent: '', judged: 2, remaining: 2 },
    ],
    [
      'a second undo has no effect',
      afterUndo(afterUndo(afterChoice(afterChoice(start(['a', 'b']), 'left', 3), 'left', 1))),
      { queue: 'b', unsent: null, sent: 'a', judged: 3, remaining: 1 },
    ],
    [
      'a sent choice cannot be undone',
      afterUndo(afterSending(afterChoice(start(['a', 'b']), 'left', 3))),
      { queue: 'b', unsent: null, sent: 'a', judged: 3 },
    ],
    ['a choice without a pair has no effect', afterChoice(start([]), 'left', 3), { unsent: null, judged: 2 }],
    [
      'a skipped pair still counts as remaining',
      afterSkip(start(['a', 'b'])),
      { queue: 'b', skipped: 'a', judged: 2, remaining: 2 },
    ],
    ['skipped pairs return on request', afterRecall(afterSkip(start(['a', 'b']))), { queue: 'ba', skipped: '' }],
    [
      'skipping keeps the held choice',
      afterSkip(afterChoice(start(['a', 'b', 'c']), 'left', 3)),
      { queue: 'c', skipped: 'b', unsent: 'a left' },
    ],
  ])('%s', (_name, state, expected) => {
    expect(shown(state)).toMatchObject(expected);
  });
});

describe('loading more pairs', () => {
  const midway = afterSkip(afterChoice(afterChoice(start(['a', 'b', 'c', 'd'], 9), 'left', 1), 'tie', 1));

  test('hasMore is true while more pairs remain than are loaded', () => {
    expect(hasMore(start(['a', 'b']))).toBe(false);
    expect(hasMore(start(['a', 'b'], 3))).toBe(true);
    expect(hasMore(afterSkip(start(['a', 'b'])))).toBe(false);
    expect(hasMore(midway)).toBe(true);
  });

  test('appends new pairs and ignores pairs already loaded, held or sent', () => {
    expect(shown(midway)).toMatchObject({ queue: 'd', skipped: 'c', unsent: 'b tie', sent: 'a', remaining: 7 });
    const filled = afterRefill(midway, ['a', 'b', 'c', 'd', 'e', 'f'].map(pair));
    expect(shown(filled)).toMatchObject({ queue: 'def', skipped: 'c', unsent: 'b tie' });
  });

  test('stops requesting pairs when a refill brings no new ones', () => {
    const filled = afterRefill(midway, ['a', 'b', 'c'].map(pair));
    expect(shown(filled)).toMatchObject({ queue: 'd', remaining: 2 });
    expect(hasMore(filled)).toBe(false);
  });
});

test('leaving sends the failed answers and the held one, and counts neither as failed', () => {
  const held = afterChoice(start(['a']), 'left', 3);
  const answer = { pair: pair('b'), choice: 'tie' as const, seconds: 2 };
  const { unsaved, next } = afterLeaving({ ...held, failed: [{ answer, message: 'Hone did not respond.' }] });
  expect(unsaved).toEqual([answer, held.unsent]);
  expect(next).toMatchObject({ failed: [], unsent: null, sent: ['a'] });
});
