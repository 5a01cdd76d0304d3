import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import { patternProblem } from './regex.ts';

type Config = { pattern: string; flags?: string; mustMatch?: boolean; min?: number; max?: number };

async function evaluation(config: Config, output: string, description = '') {
  const settings = settingsWith([{ name: 'rule', evaluator: 'regex', description, config }]);
  const outcome = await evaluateWith({
    settings,
    output,
    case: { input: '', reference: null, tags: [], metadata: {} },
    ask: askScript([]).ask,
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.evaluation;
}

describe('regex evaluator', () => {
  test.each<[string, Config, string, number]>([
    ['a match', { pattern: 'b+' }, 'abbc', 1],
    ['no match', { pattern: 'x' }, 'abbc', 0],
    ['a forbidden pattern with a match', { pattern: 'b', mustMatch: false }, 'abbc', 0],
    ['a forbidden pattern without a match', { pattern: 'x', mustMatch: false }, 'abbc', 1],
    ['case-insensitive', { pattern: 'B', flags: 'i' }, 'abbc', 1],
    ['case-sensitive', { pattern: 'B' }, 'abbc', 0],
    ['multiline', { pattern: '^b', flags: 'm' }, 'a\nb', 1],
    ['not multiline', { pattern: '^b' }, 'a\nb', 0],
    ['dotAll', { pattern: 'a.b', flags: 's' }, 'a\nb', 1],
    ['not dotAll', { pattern: 'a.b' }, 'a\nb', 0],
    ['all flags', { pattern: '^A.B$', flags: 'ims' }, 'x\na\nb\ny', 1],
    ['minimum reached', { pattern: 'b', min: 2 }, 'abbc', 1],
    ['minimum not reached', { pattern: 'b', min: 3 }, 'abbc', 0],
    ['maximum not exceeded', { pattern: 'b', max: 2 }, 'abbc', 1],
    ['maximum with no match', { pattern: 'x', max: 2 }, 'abbc', 1],
    ['maximum exceeded', { pattern: 'b', max: 1 }, 'abbc', 0],
    ['exact count', { pattern: 'b', min: 2, max: 2 }, 'abbc', 1],
    ['count of 0', { pattern: 'b', max: 0 }, 'abbc', 0],
    ['forbidden count within the bounds', { pattern: 'b', min: 2, max: 3, mustMatch: false }, 'abbc', 0],
    ['forbidden count outside of the bounds', { pattern: 'b', min: 3, mustMatch: false }, 'abbc', 1],
    ['an empty match', { pattern: 'x*' }, '', 1],
    ['counted empty matches', { pattern: 'x*', min: 3 }, 'ab', 1],
    ['characters outside the basic plane', { pattern: '^.$' }, '😀', 1],
    ['a script', { pattern: '\\p{Greek}' }, 'αβγ', 1],
    ['a word boundary', { pattern: '\\bcat\\b' }, 'concatenate', 0],
  ])('%s', async (_name, config, output, score) => {
    const made = await evaluation(config, output);
    expect(made.overallScore).toBe(score);
    expect(made.satisfactory).toBe(score === 1);
    expect(made.issues).toHaveLength(1 - score);
  });

  test('names the rule by its description, or by its pattern if it has none', async () => {
    expect((await evaluation({ pattern: '^# ' }, 'x', 'Begins with a heading.')).issues[0]?.text).toBe(
      'Not met: Begins with a heading.',
    );
    expect((await evaluation({ pattern: '^# ', flags: 'm' }, 'x')).feedback).toContain('/^# /m');
  });

  test('costs nothing', async () => {
    expect(await evaluation({ pattern: 'x' }, 'x')).toMatchObject({ costUsd: 0, tokenUsage: { total: 0 } });
  });

  test('leaves a text too long for a large pattern unscored instead of slow', async () => {
    const made = await evaluation({ pattern: '(x|y[a-z]{200}){4}q', min: 2 }, 'xy'.repeat(200_000));
    expect(made).toMatchObject({ status: 'partial', overallScore: null, criteriaScores: { rule: null } });
    expect(made.reasons.rule).toContain('too long');
  });
});

describe('patternProblem', () => {
  test.each<[string, string, string | undefined, RegExp | null]>([
    ['valid', 'a(b|c)+', undefined, null],
    ['valid with flags', 'a', 'ims', null],
    ['named groups', '(?<year>\\d+)', undefined, null],
    ['an open bracket', 'a(b', undefined, /does not compile: missing closing \)/],
    ['an invalid class', '[z-a]', undefined, /invalid character class range/],
    ['nothing to repeat', '*a', undefined, /does not compile/],
    ['look-ahead', 'a(?=b)', undefined, /look-around and back-references are not supported/],
    ['look-behind', '(?<=a)b', undefined, /does not compile/],
    ['a back-reference', '(a)\\1', undefined, /look-around and back-references are not supported/],
    ['too many repeats', 'a{5000}', undefined, /invalid repeat count/],
    ['a pattern that is too large', '(?:abcdefghij){200}', undefined, /too large/],
    ['an unknown flag', 'a', 'g', /unknown flag "g"/],
  ])('%s', (_name, pattern, flags, expected) => {
    const problem = patternProblem(pattern, flags);
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toMatch(expected);
  });
});
