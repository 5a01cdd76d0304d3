import { describe, expect, it } from 'vitest';
import { type ChangedKeys, keysOf, readChangedKeys, SHORTCUT_IDS, type ShortcutId } from './shortcut-keys.ts';
import { keyProblem, SHORTCUT_GROUPS } from './shortcuts.ts';

it('the list describes every shortcut that users can change, once', () => {
  const listed = SHORTCUT_GROUPS.flatMap(({ shortcuts }) =>
    shortcuts.flatMap((shortcut) => ('id' in shortcut ? [shortcut.id] : [])),
  );
  expect(listed.toSorted()).toEqual(SHORTCUT_IDS.toSorted());
});

it('every shortcut has a default key without conflicts', () => {
  for (const id of SHORTCUT_IDS)
    for (const key of keysOf(id, {})) expect(keyProblem(id, key, {}), `${id} ${key}`).toBeNull();
});

describe('keysOf', () => {
  it.each<[string, ShortcutId, ChangedKeys, string[]]>([
    ['the default key', 'decide.accept', {}, ['a']],
    ['the default keys including the second one', 'blind.left', {}, ['1', 'ArrowLeft']],
    ['a changed key instead of the defaults', 'blind.left', { 'blind.left': 'l' }, ['l']],
    ['no key', 'decide.accept', { 'decide.accept': '' }, []],
  ])('%s', (_name, id, changed, keys) => {
    expect(keysOf(id, changed)).toEqual(keys);
  });
});

describe('keyProblem', () => {
  it.each<[string, ShortcutId, string, ChangedKeys, RegExp | null]>([
    ['an unused key', 'decide.accept', 'q', {}, null],
    ['no key', 'decide.accept', '', {}, null],
    ['Space', 'decide.accept', ' ', {}, /Space presses buttons/],
    ['the browser’s quick find key', 'decide.accept', '/', {}, /quick find/],
    ['a key of the same group', 'decide.accept', 'c', {}, /“A run that waits for you” for “Continue”/],
    ['a key that its shortcut no longer uses', 'decide.accept', 'c', { 'decide.continue': 'q' }, null],
    ['a key assigned to another shortcut', 'decide.accept', 'q', { 'decide.continue': 'q' }, /“Continue”/],
    ['a key of another group on the same page', 'decide.accept', 'n', {}, /“A diff”/],
    ['a global key', 'compare.next', '?', {}, /“Everywhere”/],
    ['a changed global key', 'keys', 'x', {}, /“Lessons to review, and a lesson”/],
    ['a key of another page', 'decide.accept', 'x', {}, null],
    ['a secondary key', 'blind.skip', 't', {}, /“Neither is better”/],
    ['a key of a bar that replaces this one', 'tool.allow', 'c', {}, null],
  ])('%s', (_name, id, key, changed, problem) => {
    if (problem === null) expect(keyProblem(id, key, changed)).toBeNull();
    else expect(keyProblem(id, key, changed)).toMatch(problem);
  });
});

describe('readChangedKeys', () => {
  it.each<[string, string | null, ChangedKeys]>([
    ['nothing stored', null, {}],
    ['stored keys', '{"decide.accept":"q","diff.next":""}', { 'decide.accept': 'q', 'diff.next': '' }],
    [
      'two swapped keys',
      '{"decide.accept":"c","decide.continue":"a"}',
      { 'decide.accept': 'c', 'decide.continue': 'a' },
    ],
    ['not JSON', 'oops', {}],
    ['JSON of another shape', '[1]', {}],
    ['null', 'null', {}],
    ['an unknown shortcut', '{"gone":"q"}', {}],
    ['several letters', '{"decide.accept":"qq"}', {}],
    ['a reserved key', '{"decide.accept":" "}', {}],
    ['a key that is in use', '{"decide.accept":"c"}', {}],
  ])('%s', (_name, stored, changed) => {
    expect(readChangedKeys(stored)).toEqual(changed);
  });
});
