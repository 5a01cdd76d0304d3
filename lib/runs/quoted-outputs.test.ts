import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withOutputs, withoutOutputs } from './quoted-outputs.ts';

const LONG = 'a long text, '.repeat(20);
const OTHER = 'another text, '.repeat(20);
const KEPT = { preserveAllVersions: true };
const versions = [
  { number: 0, step: 0, output: LONG },
  { number: 1, step: 2, output: OTHER },
  { number: 2, step: 4, output: 'short' },
];

describe('what a call stores', () => {
  test.each<[string, { prompt: string; text: string | null; step: number }, object]>([
    [
      'nothing of an answer that became a version',
      { prompt: 'Write.', text: LONG, step: 0 },
      { prompt: 'Write.', text: '', quotes: [], answered: 0 },
    ],
    [
      'an answer whose step made no version',
      { prompt: 'Write.', text: LONG, step: 1 },
      { prompt: 'Write.', text: LONG, quotes: [], answered: null },
    ],
    [
      'a prompt without the outputs in it',
      { prompt: `A${OTHER}B${LONG}C`, text: '{}', step: 3 },
      { prompt: 'ABC', text: '{}', quotes: [1, 1, 2 + OTHER.length, 0], answered: null },
    ],
    [
      'a prompt that quotes an output changed',
      { prompt: `A${LONG.toUpperCase()}B`, text: null, step: 3 },
      { prompt: `A${LONG.toUpperCase()}B`, text: null, quotes: [], answered: null },
    ],
    [
      'short outputs',
      { prompt: 'Judge short.', text: 'short', step: 4 },
      { prompt: 'Judge short.', text: 'short', quotes: [], answered: null },
    ],
  ])('%s', (_name, call, stored) => {
    expect(withoutOutputs(call, versions, KEPT)).toEqual(stored);
  });

  test('all of it, where outputs may be dropped when the run ends', () => {
    const call = { prompt: `A${OTHER}`, text: LONG, step: 0 };
    const stored = withoutOutputs(call, versions, { preserveAllVersions: false });
    expect(stored).toEqual({ prompt: call.prompt, text: LONG, quotes: [], answered: null });
  });
});

test('whatever a prompt is made of, it is read as it was sent', () => {
  const part = fc.constantFrom(LONG, OTHER, LONG.slice(0, 220), 'x', '', '\u{1F600}');
  const texts = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const made = fc.uniqueArray(fc.constantFrom(LONG, OTHER, LONG + OTHER, LONG.slice(0, 220)), { maxLength: 4 });
  fc.assert(
    fc.property(texts, texts, made, (prompt, text, all) => {
      const some = all.map((output, number) => ({ number, output, step: number }));
      const stored = withoutOutputs({ prompt, text, step: 0 }, some, KEPT);
      expect(withOutputs(stored, new Map(all.map((output, number) => [number, output])))).toEqual({ prompt, text });
    }),
  );
});
