import { describe, expect, it } from 'vitest';
import {
  type ChangedKeys,
  keyProblem,
  keysOf,
  readChangedKeys,
  SHORTCUT_GROUPS,
  type ShortcutId,
} from './shortcuts.ts';

const ALL: ShortcutId[] = SHORTCUT_GROUPS.flatMap(({ shortcuts }) =>
  shortcuts.flatMap((shortcut) => ('id' in shortcut ? [shortcut.id] : [])),
);

it('every shortcut has a default key without conflicts', () => {
  for (const id of ALL) for (const key of keysOf(id, {})) expect(keyProblem(id, key, {}), `${id} ${key}`).toBeNull();
});

describe('keysOf', () => {
  it.each<[string, ShortcutId, ChangedKeys, string[]]>([
    ['the default', 'decide.accept', {}, ['a']],
    ['the default with its second key', 'blind.left', {}, ['1', 'ArrowLeft']],
    ['a changed key in the place of all', 'blind.left', { 'blind.left': 'l' }, ['l']],
    ['no key', 'decide.accept', { 'decide.accept': '' }, []],
  ])('%s', (_name, id, changed, keys) => {
    expect(keysOf(id, changed)).toEqual(keys);
  });
});

describe('keyProblem', () => {
  it.each<[string, ShortcutId, string, ChangedKeys, RegExp | null]>([
    ['a free key', 'decide.accept', 'q', {}, null],
    ['no key at all', 'decide.accept', '', {}, null],
    ['Space', 'decide.accept', ' ', {}, /Space presses buttons/],
    ['the key of a quick find', 'decide.accept', '/', {}, /quick find/],
    ['a key of the same group', 'decide.accept', 'c', {}, /“A run that waits for you” for “Continue”/],
    ['a key that was left', 'decide.accept', 'c', { 'decide.continue': 'q' }, null],
    ['a key that another shortcut was given', 'decide.accept', 'q', { 'decide.continue': 'q' }, /“Continue”/],
    ['a key of another group on the same page', 'decide.accept', 'n', {}, /“A diff”/],
    ['a key that works everywhere', 'compare.next', '?', {}, /“Everywhere”/],
    ['a key that works everywhere, changed', 'keys', 'x', {}, /“Lessons to review, and a lesson”/],
    ['a key of another page', 'decide.accept', 'x', {}, null],
    ['a second key', 'blind.skip', 't', {}, /“Neither is better”/],
    ['a key of a bar that takes the place of this one', 'tool.allow', 'c', {}, null],
  ])('%s', (_name, id, key, changed, problem) => {
    if (problem === null) expect(keyProblem(id, key, changed)).toBeNull();
    else expect(keyProblem(id, key, changed)).toMatch(problem);
  });
});

describe('readChangedKeys', () => {
  it.each<[string, string | null, ChangedKeys]>([
    ['nothing stored', null, {}],
    ['what was stored', '{"decide.accept":"q","diff.next":""}', { 'decide.accept': 'q', 'diff.next': '' }],
    [
      'two that changed places',
      '{"decide.accept":"c","decide.continue":"a"}',
      { 'decide.accept': 'c', 'decide.continue': 'a' },
    ],
    ['not JSON', 'oops', {}],
    ['JSON of another kind', '[1]', {}],
    ['null', 'null', {}],
    ['an unknown shortcut', '{"gone":"q"}', {}],
    ['several letters', '{"decide.accept":"qq"}', {}],
    ['a reserved key', '{"decide.accept":" "}', {}],
    ['a key that is taken', '{"decide.accept":"c"}', {}],
  ])('%s', (_name, stored, changed) => {
    expect(readChangedKeys(stored)).toEqual(changed);
  });
});
