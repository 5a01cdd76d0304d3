import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addStoredPrompts, type StoredPrompts, storedTexts, wholeTexts } from './stored-texts.ts';

const LONG = 'a long text, '.repeat(20);
const OTHER = 'another text, '.repeat(20);
const KEPT = { preserveAllVersions: true };
const versions = [
  { number: 0, step: 0, output: LONG },
  { number: 1, step: 2, output: OTHER },
  { number: 2, step: 4, output: 'short' },
];
const JUDGE = { role: 'judge', ordinal: 0, instructions: 'Judge.' };
const FULL = { instructions: 'Judge.', quotes: [], answered: null, likeStep: null };

describe('stored texts of a call', () => {
  test.each<[string, { prompt: string; text: string | null; step: number }, object]>([
    [
      'nothing of a response that became a version',
      { prompt: 'Write.', text: LONG, step: 0 },
      { text: '', answered: 0 },
    ],
    ['a response whose step created no version', { prompt: 'Write.', text: LONG, step: 1 }, {}],
    [
      'a prompt without its quoted outputs',
      { prompt: `A${OTHER}B${LONG}C`, text: '{}', step: 3 },
      { prompt: 'ABC', quotes: [1, 1, 2 + OTHER.length, 0] },
    ],
    ['a prompt with a modified quote of an output', { prompt: `A${LONG.toUpperCase()}B`, text: null, step: 3 }, {}],
    ['short outputs', { prompt: 'Judge short.', text: 'short', step: 4 }, {}],
  ])('%s', (_name, call, stored) => {
    const { prompt, text } = call;
    expect(storedTexts({ ...JUDGE, ...call }, versions, KEPT, new Map())).toEqual({ ...FULL, prompt, text, ...stored });
  });

  test('stores everything if outputs may be dropped when the run ends', () => {
    const call = { prompt: `A${OTHER}`, text: LONG, step: 0 };
    const { prompt, text } = call;
    const stored = storedTexts({ ...JUDGE, ...call }, versions, { preserveAllVersions: false }, new Map());
    expect(stored).toEqual({ ...FULL, prompt, text });
  });

  test('stores only a reference to an earlier call of the same role if only the output differs', () => {
    const known: StoredPrompts = new Map();
    const store = (call: Partial<typeof JUDGE> & { prompt: string; step: number }) => {
      const made = { ...JUDGE, ...call, text: '{}' };
      const stored = storedTexts(made, versions, KEPT, known);
      addStoredPrompts(known, [{ ...made, ...stored }]);
      return stored;
    };
    expect(store({ prompt: `A${LONG}B`, step: 1 })).toMatchObject({ prompt: 'AB', quotes: [1, 0], likeStep: null });
    const like = { instructions: '', prompt: '', quotes: [1, 1], likeStep: 1 };
    expect(store({ prompt: `A${OTHER}B`, step: 3 })).toMatchObject(like);
    expect(store({ prompt: `A${OTHER}B`, step: 3, ordinal: 1 })).toMatchObject({ likeStep: null });
    expect(store({ prompt: `A${OTHER}B`, step: 3, role: 'critic' })).toMatchObject({ likeStep: null });
    expect(store({ prompt: `A${OTHER}B`, step: 3, instructions: 'Judge well.' })).toMatchObject({ likeStep: null });
    expect(store({ prompt: `A${LONG}B`, step: 5 })).toMatchObject({ likeStep: null, prompt: 'AB' });
    expect(store({ prompt: `A${OTHER}B`, step: 7 })).toMatchObject({ likeStep: 5 });
  });
});

test('restores any prompts exactly as they were sent', () => {
  const part = fc.constantFrom(LONG, OTHER, LONG.slice(0, 220), 'x', '', '\u{1F600}');
  const texts = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const outputs = fc.uniqueArray(fc.constantFrom(LONG, OTHER, LONG + OTHER, LONG.slice(0, 220)), { maxLength: 4 });
  const call = fc.record({ prompt: texts, text: texts, instructions: fc.constantFrom('', 'Judge.') });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 5 }), outputs, (calls, all) => {
      const made = all.map((output, number) => ({ number, output, step: number }));
      const known: StoredPrompts = new Map();
      const rows = calls.map((one, step) => {
        const row = { ...JUDGE, ...one, step, ...storedTexts({ ...JUDGE, ...one, step }, made, KEPT, known) };
        addStoredPrompts(known, [row]);
        return row;
      });
      const whole = rows.map((row) => {
        const like = rows.find(({ step }) => step === row.likeStep) ?? null;
        return wholeTexts(row, like, new Map(all.map((output, number) => [number, output])));
      });
      expect(whole).toEqual(calls);
    }),
  );
});
