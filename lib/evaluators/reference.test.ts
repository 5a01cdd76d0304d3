import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';

type Config = {
  match: 'exact' | 'contains' | 'numeric' | 'token_f1' | 'edit';
  normalize?: 'none' | 'trim' | 'lower' | 'squad';
  extract?: string;
  tolerance?: number;
};
const MANY = JSON.stringify(Array.from({ length: 501 }, (_, at) => `Alias ${at}`));
const FINISH = 'Finish\\[(.*?)\\]';

async function evaluation(config: Config, output: string, reference: string | null, mayQuoteReference = false) {
  const settings = settingsWith([{ name: 'right', evaluator: 'reference', config }]);
  const outcome = await evaluateWith({
    settings,
    output,
    mayQuoteReference,
    case: { input: '', reference, tags: [], metadata: {} },
    ask: askScript([]).ask,
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.evaluation;
}

describe('reference evaluator', () => {
  test.each<[string, Config, string, string, number, string | null]>([
    ['exact', { match: 'exact' }, 'Pemba', 'Pemba', 1, 'pemba'],
    ['exact after SQuAD normalisation', { match: 'exact' }, ' The  "Pemba"! ', 'pemba', 1, 'pemba'],
    ['exact with another decimal point', { match: 'exact' }, '3.5', '35', 0, '3.5'],
    [
      'exact with another decimal comma',
      { match: 'exact' },
      'Total: 12,35 EUR.',
      'Total: 1235 EUR',
      0,
      'total 12,35 eur',
    ],
    ['exact with another sign', { match: 'exact' }, '-5', '5', 0, '-5'],
    ['exact with a minus sign', { match: 'exact' }, '(−5)', '-5', 1, '-5'],
    ['exact with a fraction', { match: 'exact' }, '1/2', '12', 0, '1/2'],
    ['exact with a time', { match: 'exact' }, '10:30', '1030', 0, '10:30'],
    ['exact with a range', { match: 'exact' }, '10–15', '10-15', 1, '10-15'],
    ['exact with a range with spaces', { match: 'exact' }, '$10 – $20', '$10-20', 1, '10-20'],
    ['exact with a list instead of a range', { match: 'exact' }, '10, 20', '10 - 20', 0, '10 20'],
    ['exact with a negative number after another', { match: 'exact' }, '5 -7', '5-7', 0, '5 -7'],
    ['exact with a list of bullets', { match: 'exact' }, '- 3\n- 4', '3, 4', 1, '3 4'],
    ['contains a negative number', { match: 'contains' }, 'It is 10 - 15 = -5.', '-5', 1, 'it is 10-15 -5'],
    ['contains a difference, not a negative number', { match: 'contains' }, 'It is 8 - 5 = 3.', '-5', 0, 'it is 8-5 3'],
    ['contains literally', { match: 'contains', normalize: 'trim' }, 'It is 2026-01.', '-01', 1, 'It is 2026-01.'],
    ['exact with a raised power', { match: 'exact' }, '(x²)', 'x^2', 1, 'x2'],
    ['exact with the power of a number', { match: 'exact' }, '10⁻²', '10^{-2}', 1, '10^-2'],
    ['exact with digits instead of a power', { match: 'exact' }, '210', '2^{10}', 0, '210'],
    ['exact with repeated dots', { match: 'exact' }, '1.000.000', '1,000,000', 1, '1000000'],
    ['exact with an address', { match: 'exact' }, '10.0.0.1', '10001', 0, '10.0.0.1'],
    ['exact with thousands separators', { match: 'exact' }, '1,234,567.', '1234567', 1, '1234567'],
    ['exact with Indian thousands separators', { match: 'exact' }, '₹12,34,567', '₹1234567', 1, '₹1234567'],
    ['exact with a sign before a currency', { match: 'exact' }, '-$5', '$5', 0, '-5'],
    ['exact with another sign before a currency', { match: 'exact' }, '−$5.50', '$-5.50', 1, '-5.50'],
    ['exact with a sum', { match: 'exact' }, '2+3', '23', 0, '2+3'],
    ['contains before a comma', { match: 'contains' }, 'It is 5,000, or so.', '5000', 1, 'it is 5000 or so'],
    ['exact with a decimal without zero', { match: 'exact' }, '.5', '5', 0, '.5'],
    ['exact with a hyphen in a name', { match: 'exact' }, 'COVID-19', 'COVID19', 1, 'covid19'],
    ['exact with the name of a language', { match: 'exact' }, 'C#', 'C++', 0, 'c#'],
    ['exact by SQuAD on request', { match: 'exact', normalize: 'squad' }, '3.5', '35', 1, '35'],
    ['contains with another decimal point', { match: 'contains' }, 'It is 2.50.', '25', 0, 'it is 2.50'],
    ['punctuation of other languages', { match: 'exact' }, '«L’île» — 北京。', 'L’île 北京', 1, 'lîle 北京'],
    ['a typographic apostrophe', { match: 'exact' }, 'l’eau', "l'eau", 1, 'leau'],
    ['composed and decomposed letters', { match: 'exact' }, 'Cafe\u0301', 'Caf\u00e9', 1, 'caf\u00e9'],
    ['an article in the middle', { match: 'exact' }, 'Lord of the Rings', 'Lord of Rings', 1, 'lord of rings'],
    ['another answer', { match: 'exact' }, 'Pemba Island', 'Pemba', 0, 'pemba island'],
    ['exact without normalisation', { match: 'exact', normalize: 'none' }, 'Pemba ', 'Pemba', 0, 'Pemba '],
    ['exact, trimmed', { match: 'exact', normalize: 'trim' }, 'Pemba ', 'Pemba', 1, 'Pemba'],
    ['trimmed, case-sensitive', { match: 'exact', normalize: 'trim' }, 'pemba', 'Pemba', 0, 'pemba'],
    ['lower case', { match: 'exact', normalize: 'lower' }, ' PEMBA', 'Pemba', 1, 'pemba'],
    ['lower case keeps articles', { match: 'exact', normalize: 'lower' }, 'the Pemba', 'Pemba', 0, 'the pemba'],
    ['a letter that is also an article', { match: 'exact' }, 'B', 'A', 0, 'b'],
    ['an equal letter', { match: 'exact' }, 'a', 'A', 1, 'a'],
    ['empty output', { match: 'exact' }, '', 'Pemba', 0, ''],
    ['contains', { match: 'contains' }, 'I say: Pemba, of course.', 'pemba', 1, 'i say pemba of course'],
    ['does not contain', { match: 'contains' }, 'I say: Unguja.', 'Pemba', 0, 'i say unguja'],
    ['an empty reference is never contained', { match: 'contains' }, 'anything', '', 0, 'anything'],
    ['extracted text', { match: 'exact', extract: FINISH }, 'So. Finish[Pemba]', 'Pemba', 1, 'pemba'],
    [
      'the last match counts',
      { match: 'exact', extract: FINISH },
      'Finish[Unguja] no, Finish[Pemba]',
      'Pemba',
      1,
      'pemba',
    ],
    [
      'a correct answer before a wrong last one',
      { match: 'exact', extract: FINISH },
      'Finish[Pemba] no, Finish[Unguja]',
      'Pemba',
      0,
      'unguja',
    ],
    ['nothing extracted', { match: 'exact', extract: FINISH }, 'Pemba', 'Pemba', 0, null],
    ['an empty group', { match: 'exact', extract: FINISH }, 'Finish[]', 'Pemba', 0, ''],
    ['the whole match without a group', { match: 'exact', extract: '\\d+' }, 'a 1 b 22', '22', 1, '22'],
    ['numeric', { match: 'numeric' }, 'It is 1,200.', '1200', 1, '1200'],
    ['numeric with units', { match: 'numeric' }, '$12.50', '12.5 dollars', 1, '12.5'],
    ['numeric, wrong', { match: 'numeric' }, '391', '395', 0, '391'],
    ['numeric without a number', { match: 'numeric' }, 'no idea', '395', 0, null],
    ['numeric, off by a millionth', { match: 'numeric' }, '1000000.5', '1000000', 1, '1000000.5'],
    ['numeric, off by more', { match: 'numeric' }, '1000002', '1000000', 0, '1000002'],
    ['numeric, zero', { match: 'numeric' }, '0', '0.0', 1, '0'],
    ['numeric, almost zero', { match: 'numeric' }, '0.0001', '0', 0, '0.0001'],
    ['numeric, within the tolerance', { match: 'numeric', tolerance: 0.5 }, '3.5', '3', 1, '3.5'],
    ['numeric, beyond the tolerance', { match: 'numeric', tolerance: 0.5 }, '3.6', '3', 0, '3.6'],
    ['numeric, tolerance of 0', { match: 'numeric', tolerance: 0 }, '0.1', '0.1', 1, '0.1'],
    ['numeric, extracted', { match: 'numeric', extract: FINISH }, '17 × 23 = 391. Finish[395] 4', '395', 1, '395'],
  ])('%s', async (_name, config, output, reference, score, answer) => {
    const made = await evaluation(config, output, reference);
    expect(made).toMatchObject({
      overallScore: score,
      answer,
      feedback: score === 1 ? 'correct' : 'incorrect',
      issues: [],
    });
  });

  test.each<[string, Config, string, string, number, string]>([
    [
      'token F1 with an additional word on each side',
      { match: 'token_f1' },
      'in Stone Town',
      'Stone Town, Pemba',
      0.666667,
      'in stone town',
    ],
    ['token F1 with different articles', { match: 'token_f1' }, 'The Stone Town.', 'a stone town', 1, 'stone town'],
    ['token F1 with articles kept', { match: 'token_f1', normalize: 'lower' }, 'The town', 'a town', 0.5, 'the town'],
    ['token F1 without shared words', { match: 'token_f1' }, 'Unguja', 'Pemba', 0, 'unguja'],
    [
      'token F1 of extracted text',
      { match: 'token_f1', extract: FINISH },
      'Unguja? Finish[Pemba]',
      'Pemba',
      1,
      'pemba',
    ],
    ['token F1 without a match', { match: 'token_f1', extract: FINISH }, 'Pemba', 'Pemba', 0, ''],
    ['edit similarity', { match: 'edit' }, 'kitten', 'sitting', 0.571429, 'kitten'],
    ['edit similarity without normalisation', { match: 'edit' }, 'Pemba!', 'pemba', 0.666667, 'Pemba!'],
    ['edit similarity after normalisation', { match: 'edit', normalize: 'squad' }, 'Pemba!', 'pemba', 1, 'pemba'],
    ['edit similarity with surrounding white space', { match: 'edit' }, ' Pemba\n', 'Pemba', 1, 'Pemba'],
    ['edit similarity of empty text', { match: 'edit' }, '', 'Pemba', 0, ''],
  ])('%s', async (_name, config, output, reference, score, answer) => {
    const made = await evaluation(config, output, reference);
    expect(made).toMatchObject({ overallScore: score, status: 'scored', issues: [] });
    expect(made.answer ?? '').toBe(answer);
    expect(made.feedback).toBe(score === 1 ? 'correct' : score === 0 ? 'incorrect' : 'partly correct');
    expect(`${made.reasons.right}`).not.toContain(reference);
    expect(made.detail).toContain(`"${reference}"`);
  });

  const CITIES = '["Paris","Paris, France"]';
  test.each<[string, Config, string, string, number]>([
    ['the first answer', { match: 'exact' }, 'paris', CITIES, 1],
    ['the second answer', { match: 'exact' }, 'Paris France', CITIES, 1],
    ['another answer', { match: 'exact' }, 'Rome', CITIES, 0],
    ['a contained answer', { match: 'contains' }, 'It is Paris.', '["Lutetia", "Paris"]', 1],
    ['no contained answer', { match: 'contains' }, 'It is Rome.', CITIES, 0],
    ['a number', { match: 'numeric' }, 'about 12', '["12", "13"]', 1],
    ['another number', { match: 'numeric' }, '13', '["12", "14"]', 0],
    ['the best token F1', { match: 'token_f1' }, 'Stone Town', '["Unguja", "Stone Town, Pemba"]', 0.8],
    ['the best edit similarity', { match: 'edit' }, 'kitten', '["x", "sitting"]', 0.571429],
    ['a single answer', { match: 'exact' }, 'Paris', '["Paris"]', 1],
    ['an output that is the list', { match: 'exact', normalize: 'trim' }, CITIES, CITIES, 1],
    ['an output that is a part of the list', { match: 'exact' }, '["Paris"]', CITIES, 0],
    ['a code block with a part of the list', { match: 'contains' }, '```json\n["Paris"]\n```', CITIES, 0],
    ['a list with other values', { match: 'exact' }, 'Paris', '["Paris", 7]', 0],
    ['an empty list', { match: 'exact', normalize: 'trim' }, '[]', '[]', 1],
    [
      'the last of 500',
      { match: 'exact' },
      'Alias 499',
      JSON.stringify(Array.from({ length: 500 }, (_, at) => `Alias ${at}`)),
      1,
    ],
  ])('compares with each of several right answers: %s', async (_name, config, output, reference, score) => {
    expect(await evaluation(config, output, reference)).toMatchObject({ overallScore: score, status: 'scored' });
  });

  test.each<[string, string, 'partial' | 'scored']>([
    ['any output', 'Alias 500', 'partial'],
    ['the whole list', MANY, 'scored'],
  ])('leaves a reference with more than 500 right answers unscored: %s', async (_name, output, status) => {
    const made = await evaluation({ match: 'exact' }, output, MANY);
    expect(made).toMatchObject({ status, overallScore: status === 'scored' ? 1 : null });
    if (status === 'partial') expect(made.reasons.right).toMatch(/has 501 right answers. Reduce them to 500 or fewer/);
  });

  test('shows people all right answers if none of them matches', async () => {
    const made = await evaluation({ match: 'exact' }, 'Rome', '["Paris", "Lutetia"]');
    expect(made.detail).toContain('Expected "["Paris", "Lutetia"]", got "Rome".');
  });

  test('leaves texts too long for an edit distance unscored instead of slow', async () => {
    const startedAt = process.threadCpuUsage();
    const made = await evaluation({ match: 'edit' }, 'ab'.repeat(50_000), 'cd'.repeat(50_000));
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
    expect(made).toMatchObject({ status: 'partial', overallScore: null, feedback: '' });
    expect(made.reasons.right).toMatch(/too long/);
  });

  test.each<[string, Config, string, string | null, RegExp]>([
    ['no reference', { match: 'exact' }, 'x', null, /no reference/],
    ['a reference that is not a number', { match: 'numeric' }, '5', 'five', /not a number/],
    ['a pattern that does not compile', { match: 'exact', extract: '(' }, 'x', 'x', /does not compile/],
  ])('unscored: %s', async (_name, config, output, reference, reason) => {
    const made = await evaluation(config, output, reference);
    expect(made).toMatchObject({ status: 'partial', overallScore: null, satisfactory: false, feedback: '' });
    expect(made.reasons.right).toMatch(reason);
  });

  test('includes expected and actual text in feedback for models only if the request allows it', async () => {
    const config: Config = { match: 'exact', extract: FINISH };
    expect((await evaluation(config, 'Finish[Unguja]', 'Pemba')).feedback).toBe('incorrect');
    expect((await evaluation(config, 'Finish[Unguja]', 'Pemba', true)).feedback).toBe(
      'incorrect. Expected "Pemba", got "Unguja".',
    );
    expect((await evaluation(config, 'Finish[Pemba]', 'Pemba', true)).feedback).toBe('correct');
  });

  test('shows expected and actual text to people', async () => {
    expect((await evaluation({ match: 'exact' }, 'Unguja', 'Pemba')).detail).toBe('Expected "Pemba", got "Unguja".');
    expect((await evaluation({ match: 'exact', extract: FINISH }, 'Unguja', 'Pemba')).detail).toContain(
      'Expected "Pemba"',
    );
  });
});

test('quotes a long answer in feedback without half of a character', async () => {
  const { feedback } = await evaluation({ match: 'exact' }, `${'a'.repeat(199)}\u{1F600} and more`, 'Pemba', true);
  expect(feedback).toContain('Expected "Pemba"');
  expect(feedback.isWellFormed()).toBe(true);
});
