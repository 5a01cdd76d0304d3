import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CriterionInput, ModelReference, NewCase } from './generated/types.ts';
import { Hone } from './hone.ts';

/** A case. Messages or other JSON inputs are given as JSON text. */
export type TestCase = Omit<NewCase, 'criteria' | 'input'> & { input: string };

export type HoneCasesOptions = {
  /** A list of cases, the path of a JSON Lines or JSON file, or a dataset of Hone by name or id. */
  cases: TestCase[] | string | { dataset: string; split?: 'train' | 'validation' | 'held_out'; tag?: string };
  /** The function to test: returns the output for a case. */
  run: (testCase: TestCase) => Promise<string> | string;
  /** Scores an output from 0 to 1, without Hone. */
  score?: (output: string, testCase: TestCase) => Promise<number> | number;
  /** Criteria that Hone scores by. The score of a case is their weighted mean. */
  criteria?: CriterionInput[];
  /** Model for judges. Default: the default model of Hone. */
  generator?: ModelReference;
  /** Minimum score of each case. Default: 0.8 if there is no `mean`. */
  threshold?: number;
  /** Minimum mean score over all cases. */
  mean?: number;
  /** Timeout of a case in seconds. Default: 60. */
  timeoutSeconds?: number;
  hone?: Hone;
};

/** Vitest 3 knows only `sequential`, Vitest 5 only `concurrent`. */
const AFTER_CASES = { concurrent: false, sequential: true };

/** Creates a test for each case, and one for the mean score if `mean` is set. Await it at the top level of a test file. */
export async function honeCases(name: string, options: HoneCasesOptions): Promise<void> {
  const { run, mean, timeoutSeconds = 60, hone = new Hone() } = options;
  const threshold = options.threshold ?? (mean === undefined ? 0.8 : undefined);
  checkCriteria(name, options);
  const cases = await loadCases(options.cases, hone);
  if (cases.length === 0) throw new Error(`${name} has no cases.`);
  const scores = new Map<TestCase, number>();
  // The mean follows the cases, whatever `sequence` the configuration sets.
  describe(name, mean === undefined ? {} : { shuffle: false }, () => {
    for (const [index, testCase] of cases.entries())
      test(titleOf(testCase, index), { timeout: timeoutSeconds * 1000 }, async () => {
        // The score of an earlier try does not count, even if this one fails.
        scores.delete(testCase);
        const output = await run(testCase);
        const { score, reasons } = await scoreOutput(output, testCase, options, hone);
        scores.set(testCase, score);
        const message = `score of ${JSON.stringify(output)}${reasons === '' ? '' : `\n${reasons}`}`;
        if (threshold !== undefined) expect(score, message).toBeGreaterThanOrEqual(threshold);
      });
    if (mean !== undefined)
      test('mean', AFTER_CASES, (context) => {
        context.skip(scores.size === 0, 'No case was scored.');
        expect([...scores.values()].reduce((sum, score) => sum + score, 0) / scores.size).toBeGreaterThanOrEqual(mean);
      });
  });
}

function checkCriteria(name: string, { score, criteria = [] }: HoneCasesOptions): void {
  if (score !== undefined) return;
  if (criteria.length === 0) throw new Error(`${name}: Set score or criteria.`);
  if (criteria.every(({ weight }) => weight === 0))
    throw new Error(`${name}: All criteria have weight 0. Give at least one a weight above 0.`);
}

function titleOf({ input }: TestCase, index: number): string {
  const [line = ''] = input.trim().split('\n');
  return `${index + 1}. ${line.length > 60 ? `${line.slice(0, 60)}…` : line}`;
}

async function loadCases(cases: HoneCasesOptions['cases'], hone: Hone): Promise<TestCase[]> {
  if (Array.isArray(cases)) return cases;
  if (typeof cases !== 'string') {
    const { dataset, ...query } = cases;
    const loaded: TestCase[] = [];
    for await (const one of hone.datasets.cases(dataset, query)) loaded.push(one);
    return loaded;
  }
  const text = readFileSync(cases, 'utf8').replace(/^\uFEFF/, '');
  const read: NewCase[] = cases.endsWith('.json')
    ? JSON.parse(text)
    : text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
  return read.map(({ input, ...rest }) => ({
    ...rest,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }));
}

async function scoreOutput(
  output: string,
  testCase: TestCase,
  { score, criteria = [], generator, timeoutSeconds = 60 }: HoneCasesOptions,
  hone: Hone,
): Promise<{ score: number; reasons: string }> {
  if (score !== undefined) return { score: await score(output, testCase), reasons: '' };
  const { input, reference = null, metadata = {} } = testCase;
  const tried = await Promise.all(
    criteria.map(async (criterion) => {
      const body = {
        criterion,
        output,
        case: { input, reference, metadata },
        ...(generator && { generator }),
      };
      return { criterion, ...(await hone.score(body, { timeoutSeconds })) };
    }),
  );
  const unscored = tried.find((one) => one.score === null);
  if (unscored !== undefined) throw new Error(`${unscored.criterion.name} has no score: ${unscored.reason}`);
  const weights = tried.map(({ criterion }) => criterion.weight ?? 1);
  const sum = tried.reduce((total, one, index) => total + (one.score ?? 0) * (weights[index] ?? 1), 0);
  return {
    score: sum / weights.reduce((total, weight) => total + weight, 0),
    reasons: tried.map((one) => `${one.criterion.name}: ${one.score} ${one.reason}`).join('\n'),
  };
}
