import { expect, test } from 'vitest';
import type { InboxClaim } from '#lib/inbox/queries.ts';
import { nextItem } from './next-item.ts';

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
  ['the next unclaimed one', 'a b! c? d', 'a', 'd'],
  ['the first one after the last', 'a b c', 'c', 'a'],
  ['the first unclaimed one if none was selected', 'a! b c', null, 'b'],
  ['the first one if the previous one is gone', 'b c', 'a', 'b'],
  ['one that this window claimed', 'a b* c', 'a', 'b'],
  ['never the same one', 'a', 'a', null],
  ['null if others claimed all the rest', 'a b! c!', 'a', null],
  ['null in an empty list', '', null, null],
])('the next item is %s', (_name, items, from, expected) => {
  expect(nextItem(list(items), from)).toBe(expected);
});
