import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settingsText } from './settings-text.ts';

describe('settingsText', () => {
  test.each([
    { name: 'numbers and short texts as JSON', settings: { a: 1, b: 'x' }, text: '{\n  "a": 1,\n  "b": "x"\n}' },
    {
      name: 'code as separate lines',
      settings: { config: { code: 'if (x)\n  y;' } },
      text: '{\n  "config": {\n    "code": "if (x)\n        y;"\n  }\n}',
    },
    { name: 'an unchanged backslash before an n', settings: { pattern: '\\n' }, text: '{\n  "pattern": "\\\\n"\n}' },
  ])('$name', ({ settings, text }) => {
    expect(settingsText(settings)).toBe(text);
  });

  test('equal text means equal settings, for values without leading spaces', () => {
    const word = fc.constantFrom('a', '\\n', 'b\nc', '\\', '"');
    fc.assert(
      fc.property(fc.array(word), fc.array(word), (one, other) => {
        expect(settingsText(one) === settingsText(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});
