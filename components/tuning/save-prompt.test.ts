import { describe, expect, test } from 'vitest';
import { canSaveVersion } from './save-prompt.tsx';

describe('canSaveVersion', () => {
  const ofLibrary = { tune: { prompt: { name: 'triage', version: 1 } } };
  const ofItsOwn = { tune: { prompt: null } };

  test.each([
    ['a candidate', 'candidate', ofLibrary, true],
    ['an unchanged prompt of the library', 'given', ofLibrary, false],
    ['a text that is not in the library', 'given', ofItsOwn, true],
    ['an edit or a merge that is the first prompt of a run', 'by_hand', ofLibrary, true],
    ['a proposal rejected by checks', 'held_back', ofItsOwn, false],
  ] as const)('%s', (_, state, settings, expected) => {
    expect(canSaveVersion({ state }, settings)).toBe(expected);
  });

  test('no version is selected', () => {
    expect(canSaveVersion(undefined, ofItsOwn)).toBe(false);
  });
});
