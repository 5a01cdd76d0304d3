import { describe, expect, test } from 'vitest';
import { canSaveVersion } from './can-save-version.ts';

describe('canSaveVersion', () => {
  const ofLibrary = { tune: { prompt: { name: 'triage', version: 1 } } };
  const ofItsOwn = { tune: { prompt: null } };

  test.each([
    ['a candidate', 'candidate', ofLibrary, true],
    ['a prompt of the library as it is', 'given', ofLibrary, false],
    ['a text that is not in the library', 'given', ofItsOwn, true],
    ['an edit or a merge that a run starts from', 'by_hand', ofLibrary, true],
    ['a proposal that checks rejected', 'held_back', ofItsOwn, false],
  ] as const)('%s', (_, state, settings, expected) => {
    expect(canSaveVersion({ state }, settings)).toBe(expected);
  });

  test('no version is selected', () => {
    expect(canSaveVersion(undefined, ofItsOwn)).toBe(false);
  });
});
