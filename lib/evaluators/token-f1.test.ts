import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenF1 } from './reference.ts';

/**
 * Calculated by hand after `compute_f1` of SQuAD 2.0: 2 · shared / (tokens of one + tokens of the other). The two named rows are published
 * results: Hugging Face's `squad` metric card and a KorQuAD run.
 */
describe('token F1', () => {
  test.each<[string, string, string, number]>([
    ['metric card: an accent makes a different word', 'beyonce', 'beyoncé and bruno mars', 0],
    ['KorQuAD: an extra word, 66.67', '교향곡 9번', '교향곡', 2 / 3],
    ['equal texts', 'stone town', 'stone town', 1],
    ['another order', 'town stone', 'stone town', 1],
    ['an extra word: precision 2/3, recall 1', 'in stone town', 'stone town', 4 / 5],
    ['a missing word: precision 1, recall 1/2', 'town', 'stone town', 2 / 3],
    ['one of two words on each side', 'stone house', 'stone town', 1 / 2],
    ['no shared words', 'unguja', 'pemba', 0],
    ['a repeated word counts once if the reference has it once', 'new new', 'new york', 1 / 2],
    ['a word repeated in both texts', 'new new york', 'new new jersey', 2 / 3],
    ['words with shared letters', 'pembas', 'pemba', 0],
    ['any white space separates words', 'stone\n\ttown', 'stone town', 1],
    ['letters of a script without spaces: 4 of 8 shared', '中国的首都是北京', '首都北京', (2 * 4) / (8 + 4)],
    ['a script without spaces next to words', 'gpt 模型', 'gpt 模式', 2 / 3],
    ['two empty texts', '', ' ', 1],
    ['an empty output', '', 'pemba', 0],
    ['an empty reference', 'pemba', '', 0],
  ])('%s', (_name, answer, reference, expected) => {
    expect(tokenF1(answer, reference)).toBeCloseTo(expected, 12);
  });

  const text = fc.array(fc.constantFrom('a', 'b', 'c', '__proto__'), { maxLength: 8 }).map((words) => words.join(' '));

  test('is the symmetric harmonic mean of precision and recall', () => {
    fc.assert(
      fc.property(text, text, (answer, reference) => {
        const score = tokenF1(answer, reference);
        expect(tokenF1(reference, answer)).toBe(score);
        const words = (of: string) => of.split(' ').filter(Boolean);
        const rest = words(reference);
        const shared = words(answer).filter((word) => rest.includes(word) && rest.splice(rest.indexOf(word), 1)).length;
        if (shared === 0) {
          expect(score).toBe(answer === '' && reference === '' ? 1 : 0);
          return;
        }
        const precision = shared / words(answer).length;
        const recall = shared / words(reference).length;
        expect(score).toBeCloseTo((2 * precision * recall) / (precision + recall), 12);
      }),
    );
  });
});
