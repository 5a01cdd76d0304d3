import { expect, test } from 'vitest';
import type { InboxClaim } from '#lib/inbox/inbox-item.ts';
import { neighbourItem, nextItem } from './next-item.ts';

const SINCE = '2026-11-22T06:00:00.000Z';

/** `a` is unclaimed; `a!` is claimed by another person, `a?` in another window, `a*` in this one. */
function list(text: string) {
  return text.split(' ').flatMap((word) => {
    const who: Record<string, InboxClaim['who']> = { '!': 'another_person', '?': 'another_window', '*': 'you' };
    const found = who[word.slice(1)];
    return word === ''
      ? []
      : [{ id: word.slice(0, 1), claim: found ? { who: found, name: 'Ada', since: SINCE } : null }];
  });
}

test.each([
  ['the one below', 'a b c', 'a', 'b'],
  ['past those that others are on', 'a b! c? d', 'a', 'd'],
  ['from the top after the last', 'a b c', 'c', 'a'],
  ['from the top where nothing was chosen', 'a! b c', null, 'b'],
  ['from the top where the one before is gone', 'b c', 'a', 'b'],
  ['one that this window is on', 'a b* c', 'a', 'b'],
  ['never the same one', 'a', 'a', null],
  ['none where others are on all the rest', 'a b! c!', 'a', null],
  ['none of nothing', '', null, null],
])('the next item is %s', (_name, items, from, expected) => {
  expect(nextItem(list(items), from)).toBe(expected);
});

test.each([
  ['down', 'a b c', 'a', 1 as const, 'b'],
  ['down to one that others are on', 'a b! c', 'a', 1 as const, 'b'],
  ['up', 'a b c', 'b', -1 as const, 'a'],
  ['down from the last: nowhere', 'a b', 'b', 1 as const, null],
  ['up from the first: nowhere', 'a b', 'a', -1 as const, null],
  ['to the first where the one before is gone', 'b c', 'a', -1 as const, 'b'],
])('moves %s', (_name, items, from, step, expected) => {
  expect(neighbourItem(list(items), from, step)).toBe(expected);
});
