import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SharedPrompts } from './shared-prompts.ts';
import {
  addStoredPrompts,
  promptOf,
  type SharedPrompt,
  type StoredPrompts,
  type StoredTexts,
  storedTexts,
  wholeTexts,
  withShared,
} from './stored-texts.ts';

const LONG = 'a long text, '.repeat(20);
const OTHER = 'another text, '.repeat(20);
const KEPT = { preserveAllVersions: true };
const versions = [
  { number: 0, step: 0, output: LONG },
  { number: 1, step: 2, output: OTHER },
  { number: 2, step: 4, output: 'short' },
];
const HISTORY = { versions, evaluations: [] };
const NO_HISTORY = { versions: [], evaluations: [] };
const JUDGE = { role: 'judge', ordinal: 0, instructions: 'Judge.' };
const FULL = { instructions: 'Judge.', quotes: [], answered: null, likeStep: null, kept: null };

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
    expect(storedTexts({ ...JUDGE, ...call }, HISTORY, KEPT, new Map())).toEqual({ ...FULL, prompt, text, ...stored });
  });

  test('stores everything if outputs may be dropped when the run ends', () => {
    const call = { prompt: `A${OTHER}`, text: LONG, step: 0 };
    const { prompt, text } = call;
    const stored = storedTexts({ ...JUDGE, ...call }, HISTORY, { preserveAllVersions: false }, new Map());
    expect(stored).toEqual({ ...FULL, prompt, text });
  });

  test('stores only a reference to an earlier call of the same role if only the output differs', () => {
    const known: StoredPrompts = new Map();
    const store = (call: Partial<typeof JUDGE> & { prompt: string; step: number }) => {
      const made = { ...JUDGE, ...call, text: '{}' };
      const stored = storedTexts(made, HISTORY, KEPT, known);
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

test('stores only what differs from an earlier prompt, and a repeated prompt not at all', () => {
  const known: StoredPrompts = new Map();
  const rules = 'Score by the rules. '.repeat(20);
  const store = (prompt: string, step: number) => {
    const made = { ...JUDGE, prompt, text: '{}', step };
    const stored = storedTexts(made, NO_HISTORY, KEPT, known);
    addStoredPrompts(known, [{ ...made, ...stored }]);
    return stored;
  };
  expect(store(`A${rules}`, 1)).toMatchObject({ prompt: `A${rules}`, likeStep: null, kept: null });
  const part = { instructions: '', prompt: 'BC', likeStep: 1, kept: [0, rules.length] };
  expect(store(`BC${rules}`, 3)).toMatchObject(part);
  expect(store(`BC${rules}`, 5)).toMatchObject({ instructions: '', prompt: '', likeStep: 3, kept: null });
  expect(store(`A${rules}`, 7)).toMatchObject({ prompt: '', likeStep: 1, kept: null });
  expect(store(`${rules}${OTHER.repeat(9)}`, 9)).toMatchObject({ likeStep: null, kept: null });
});

test('does not divide a character of two units', () => {
  const known: StoredPrompts = new Map();
  const long = 'x'.repeat(300);
  const first = { ...JUDGE, prompt: `${long}\u{1F600}`, text: null, step: 1 };
  addStoredPrompts(known, [{ ...first, ...storedTexts(first, NO_HISTORY, KEPT, known) }]);
  // U+1F600 and U+1F601 share their first unit, U+1F600 and U+1FA00 their second.
  for (const prompt of [`${long}\u{1F601}`, `${long}\u{1FA00}`])
    expect(storedTexts({ ...first, prompt, step: 2 }, NO_HISTORY, KEPT, known).prompt.isWellFormed()).toBe(true);
});

test('restores any prompts exactly as they were sent, also of several runs that share texts', () => {
  const part = fc.constantFrom(LONG, OTHER, LONG.slice(0, 220), 'x', '', '\u{1F600}', '\u{1F601}', '\u{1FA00}');
  const texts = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const outputs = fc.uniqueArray(fc.constantFrom(LONG, OTHER, LONG + OTHER, LONG.slice(0, 220)), { maxLength: 4 });
  const call = fc.record({ prompt: texts, text: texts, instructions: fc.constantFrom('', 'Judge.', LONG) });
  const run = fc.record({ calls: fc.array(call, { maxLength: 8 }), outputs });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 4 }), (runs) => {
      const sharedPrompts = new SharedPrompts();
      const stored = new Map<string, SharedPrompt>();
      for (const [index, { calls, outputs: all }] of runs.entries()) {
        const origin = { experimentId: 'e', experimentVersion: 1, runId: `${index}`, role: 'judge' };
        const findShared = (instructions: string, prompt: string) => sharedPrompts.find(origin, instructions, prompt);
        const made = all.map((output, number) => ({ number, output, step: number }));
        const known: StoredPrompts = new Map();
        const rows = calls.map((one, step) => {
          const sent = { ...JUDGE, ...one, step };
          const row = { ...sent, ...storedTexts(sent, { versions: made, evaluations: [] }, KEPT, known, findShared) };
          addStoredPrompts(known, [row]);
          if (row.shared !== undefined) stored.set(row.shared.id, row.shared);
          return row;
        });
        const own = (row: StoredTexts) => withShared(row, stored.get(row.shared?.id ?? '') ?? null);
        const whole = rows.map((row) => {
          const before = ({ likeStep }: StoredTexts): Pick<StoredTexts, 'instructions' | 'prompt'> | null => {
            const like = rows.find(({ step }) => step === likeStep);
            return like === undefined ? null : promptOf(own(like), before(like));
          };
          return wholeTexts(own(row), before(row), new Map(all.map((output, number) => [number, output])), null);
        });
        expect(whole).toEqual(calls);
      }
    }),
  );
});
