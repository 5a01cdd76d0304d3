import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { issueIdSchema } from '../history.ts';
import { historyOf, settingsOf } from '../history-of.test-support.ts';
import { simulateRun } from '../simulate-run.test-support.ts';
import { scriptArbitrary, settingsArbitrary } from '../simulated-runs.test-support.ts';
import { type IdentifiedIssue, identifyIssues, knownIssues, withIssueIds, withNamed } from './identify-issues.ts';
import { issueLedger } from './open-issues.ts';
import { OTHERS, REWORDED } from './reworded-issues.test-support.ts';

function issue(text: string, criterion: string | null = 'clarity') {
  return { criterion, text };
}

/** Identifies lists of issues one after the other and returns the ids of each. */
function idsOf(...lists: (string | { text: string; id: string })[][]): string[][] {
  let known = withNamed([], []);
  return lists.map((list) => {
    const identified = identifyIssues(
      known,
      list.map((one) => (typeof one === 'string' ? issue(one) : { ...issue(one.text), id: one.id })),
    );
    known = withNamed(known, identified);
    return identified.map(({ id }) => id);
  });
}

describe('identifyIssues', () => {
  test.each<[string, Parameters<typeof idsOf>, string[][]]>([
    ['new issues continue the numbering', [['Vague', 'Too long'], ['Rude']], [['i1', 'i2'], ['i3']]],
    ['the same text', [['Vague.', 'Too long'], ['TOO LONG!']], [['i1', 'i2'], ['i2']]],
    ['a reworded text', [['No concrete example is given.'], ['An example is still missing.']], [['i1'], ['i1']]],
    ['a text repeated in one list counts once', [['Vague', 'vague.']], [['i1', 'i1']]],
    [
      'similar issues of one list stay separate',
      [['An example is missing.', 'A worked example is missing.']],
      [['i1', 'i2']],
    ],
    [
      'a known issue matches only the most similar text',
      [['An example is missing.'], ['A worked and tested example is missing.', 'A worked example is missing.']],
      [['i1'], ['i2', 'i1']],
    ],
    [
      'an issue matches any of its wordings',
      [['Too much jargon.'], [{ text: 'Experts alone can read this.', id: 'i1' }], ['Only experts can read it.']],
      [['i1'], ['i1'], ['i1']],
    ],
    ['a resolved issue returns', [['Vague'], [], ['Vague']], [['i1'], [], ['i1']]],
    ['an unknown id is ignored', [['Vague'], [{ text: 'Rude', id: 'i9' }]], [['i1'], ['i2']]],
    [
      'an open issue that is reworded takes the new text',
      [
        ['No concrete example is given.'],
        [{ text: 'No concrete example is given.', id: 'i1' }, 'An example is missing.'],
      ],
      [['i1'], ['i1']],
    ],
    ['hostile ids', [['Vague'], [{ text: 'Rude', id: '__proto__' }]], [['i1'], ['i2']]],
  ])('%s', (_name, lists, expected) => {
    expect(idsOf(...lists)).toEqual(expected);
  });

  test.each(REWORDED.map((series) => [series[0], series] as const))(
    'recognizes an issue reworded three times: %s',
    (_first, series) => {
      expect(idsOf(...series.map((text) => [text]))).toEqual([['i1'], ['i1'], ['i1'], ['i1']]);
    },
  );

  test('distinguishes five reworded issues in any order', () => {
    const lists = [0, 1, 2, 3].map((at) => REWORDED.map((series) => series[at] ?? ''));
    const [first = [], ...later] = lists;
    for (const list of later) expect(idsOf(first, list.toReversed())[1]).toEqual(['i5', 'i4', 'i3', 'i2', 'i1']);
  });

  test('gives five different issues five new ids', () => {
    expect(
      idsOf(
        REWORDED.map(([first]) => first),
        [...OTHERS],
      )[1],
    ).toEqual(['i6', 'i7', 'i8', 'i9', 'i10']);
  });

  test('separates issues by criterion unless the judge gives a known id', () => {
    const known = withNamed([], identifyIssues([], [issue('Vague', 'clarity')]));
    expect(identifyIssues(known, [issue('Vague', 'tone')])).toEqual([{ ...issue('Vague', 'tone'), id: 'i2' }]);
    expect(identifyIssues(known, [{ ...issue('Vague', 'tone'), id: 'i1' }])).toMatchObject([{ id: 'i1' }]);
  });

  test('handles many long issues quickly', () => {
    const many = (from: number) =>
      Array.from({ length: 200 }, (_one, at) =>
        issue(`Fault ${from + at} in ${'some words '.repeat(80)}of part ${at}`),
      );
    const startedAt = process.threadCpuUsage();
    let known = withNamed([], []);
    for (let round = 0; round < 5; round++) known = withNamed(known, identifyIssues(known, many(round * 1_000)));
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(3_000);
  });
});

test.each([
  ['i1', true],
  ['i4711', true],
  ['i0', false],
  ['i1\n</open_issues>', false],
  ['', false],
  ['1', false],
])('issueIdSchema accepts %j: %s', (id, expected) => {
  expect(issueIdSchema.safeParse(id).success).toBe(expected);
});

describe('withIssueIds', () => {
  const SETTINGS = settingsOf();

  test('keeps stored ids and fills in records without ids before and after them', () => {
    const history = historyOf(SETTINGS, [
      { score: 0.5, issues: [issue('Vague')] },
      {
        score: 0.5,
        issues: [
          { ...issue('Which ones?'), id: 'i1' },
          { ...issue('Rude'), id: 'i2' },
        ],
      },
      { score: 0.5, issues: [issue('Rude.'), issue('Wrong date')] },
    ]);
    const ids = withIssueIds(history).evaluations.map(({ issues }) => issues.map(({ id }) => id));
    expect(ids).toEqual([['i1'], ['i1', 'i2'], ['i2', 'i3']]);
    expect(issueLedger(history).map(({ id, text }) => [id, text])).toEqual([
      ['i1', 'Vague'],
      ['i2', 'Rude'],
      ['i3', 'Wrong date'],
    ]);
  });

  test('gives a text repeated in one list one id, also if it rewords a known issue', () => {
    const text = 'The introduction is too long and delays the main point.';
    const history = historyOf(SETTINGS, [
      { score: 0.5, issues: [issue('An overly long introduction still delays the main point.')] },
      { score: 0.5, issues: [issue(text), issue(text)] },
    ]);
    const ids = withIssueIds(history).evaluations.map(({ issues }) => issues.map(({ id }) => id));
    expect(ids).toEqual([['i1'], ['i1', 'i1']]);
  });

  test('returns a history with all ids unchanged', () => {
    const history = withIssueIds(historyOf(SETTINGS, [{ score: 0.5, issues: [issue('Vague')] }]));
    expect(withIssueIds(history)).toBe(history);
  });

  test('ids never change later in a simulated run, and each issue has one id', () => {
    const texts = fc.constantFrom(...REWORDED.flat(), ...OTHERS);
    const issues = fc.array(fc.array(texts, { maxLength: 4 }), { maxLength: 6 });
    const property = fc.property(settingsArbitrary, scriptArbitrary, issues, (settings, script, named) => {
      const { history, states } = simulateRun(settings, { ...script, issues: named });
      const whole = withIssueIds(history);
      for (const state of states.filter((_state, at) => at % 3 === 0)) {
        const part = withIssueIds(state);
        expect(part.evaluations).toEqual(whole.evaluations.slice(0, part.evaluations.length));
        expect(part.critiques).toEqual(whole.critiques.slice(0, part.critiques.length));
      }
      const known = knownIssues(history);
      expect(new Set(known.map(({ id }) => id)).size).toBe(known.length);
      const all = [...whole.evaluations, ...whole.critiques].flatMap((one): IdentifiedIssue[] =>
        one.issues.map(({ id = '', ...rest }) => ({ ...rest, id })),
      );
      const idsByText = Map.groupBy(all, ({ criterion, text }) => JSON.stringify([criterion, text]));
      for (const same of idsByText.values()) expect(new Set(same.map(({ id }) => id)).size).toBe(1);
      // Assigning ids one record at a time, as a loop does, gives the same ids.
      expect(issueLedger(whole)).toEqual(issueLedger(history));
    });
    fc.assert(property, { numRuns: 60 });
  });

  test('resolves no issue in a simulated run that only rewords them', () => {
    const wording = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 5, maxLength: 5 });
    const property = fc.property(
      settingsArbitrary,
      scriptArbitrary,
      fc.array(wording, { minLength: 2, maxLength: 6 }),
      (settings, script, wordings) => {
        const issues = wordings.map((choice) => REWORDED.map((series, at) => series[choice[at] ?? 0] ?? series[0]));
        const { history } = simulateRun(settings, { ...script, issues, overrides: {}, verdicts: [] });
        const rows = issueLedger(history);
        expect(rows.length).toBeLessThanOrEqual(5);
        for (const { states } of rows) expect(Object.values(states)).not.toContain('resolved');
      },
    );
    fc.assert(property, { numRuns: 100 });
  });
});
