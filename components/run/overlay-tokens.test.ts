import { describe, expect, test } from 'vitest';
import { overlayTokens } from './overlay-tokens.ts';

describe('overlayTokens', () => {
  test('cuts changes at the borders of tokens', () => {
    const pieces = [
      { text: 'ab', changed: false },
      { text: 'cd', changed: true },
    ];
    const tokens = [
      { text: 'abc', kind: 'word' as const },
      { text: 'd', kind: null },
    ];
    expect(overlayTokens(pieces, tokens)).toEqual([
      { text: 'ab', changed: false, kind: 'word' },
      { text: 'c', changed: true, kind: 'word' },
      { text: 'd', changed: true, kind: null },
    ]);
  });

  test('lets tokens of another line go', () => {
    expect(overlayTokens([{ text: 'ab', changed: true }], [{ text: 'x', kind: 'word' }])).toEqual([
      { text: 'ab', changed: true, kind: null },
    ]);
  });
});
