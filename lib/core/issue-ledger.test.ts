import { describe, expect, test } from 'vitest';
import { historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';
import { issueLedger } from './issues/open-issues.ts';

function naming(...texts: string[]): VersionGiven {
  return { score: 0.5, issues: texts.map((text) => ({ criterion: null, text })) };
}

function ledger(...versions: VersionGiven[]) {
  return Object.fromEntries(issueLedger(historyOf(settingsOf(), versions)).map(({ text, states }) => [text, states]));
}

describe('issueLedger', () => {
  test.each<[string, VersionGiven[], Record<string, Record<number, string>>]>([
    ['no versions', [], {}],
    ['no issues', [naming(), naming()], {}],
    [
      'an issue stays open until it is resolved',
      [naming('Vague'), naming('Vague'), naming('Vague')],
      { Vague: { 0: 'opened', 1: 'open', 2: 'open' } },
    ],
    [
      'a resolved issue has no later states',
      [naming('Vague'), naming(), naming()],
      { Vague: { 0: 'opened', 1: 'resolved' } },
    ],
    [
      'an issue raised again, then open',
      [naming('Vague'), naming(), naming('Vague'), naming('Vague')],
      { Vague: { 0: 'opened', 1: 'resolved', 2: 'again', 3: 'open' } },
    ],
    [
      'an issue raised again and resolved again',
      [naming('Vague'), naming(), naming('Vague'), naming()],
      { Vague: { 0: 'opened', 1: 'resolved', 2: 'again', 3: 'resolved' } },
    ],
    [
      'an issue of a later version',
      [naming('Vague'), naming('Vague', 'Long')],
      { Vague: { 0: 'opened', 1: 'open' }, Long: { 1: 'opened' } },
    ],
    [
      'the same issue in another case and punctuation counts once per version',
      [naming('Too long.'), naming('too  LONG!', 'Too long')],
      { 'Too long.': { 0: 'opened', 1: 'open' } },
    ],
    [
      'an unscored version changes no state',
      [naming('Vague'), null, naming('Vague')],
      { Vague: { 0: 'opened', 2: 'open' } },
    ],
    ['an unjudged version changes no state', [naming('Vague'), { judged: [] }], { Vague: { 0: 'opened' } }],
    [
      'the evaluation of a person counts',
      [
        {
          judged: [
            { score: 0.5, issues: [{ criterion: null, text: 'Vague' }] },
            { by: 'person', score: 0.9, issues: [] },
          ],
        },
      ],
      {},
    ],
  ])('%s', (_name, versions, expected) => {
    expect(ledger(...versions)).toEqual(expected);
  });

  test('numbers ids in the order of appearance', () => {
    const rows = issueLedger(historyOf(settingsOf(), [naming('b', 'a'), naming('c', 'a')]));
    expect(rows.map(({ id, text }) => `${id} ${text}`)).toEqual(['i1 b', 'i2 a', 'i3 c']);
  });
});

describe('matching of issues', () => {
  test.each<[string, [string | null, string], [string | null, string], boolean]>([
    ['case, punctuation and white space', ['a', 'No  example!'], ['a', ' no example'], true],
    ['letters outside ASCII', [null, 'Überflüssig.'], [null, 'überflüssig'], true],
    ['numbers', [null, 'Line 3 is long'], [null, 'Line 4 is long'], false],
    ['different criteria', ['a', 'Vague'], ['b', 'Vague'], false],
    ['a criterion and none', ['a', 'Vague'], [null, 'Vague'], false],
    ['the boundary between name and text', ['a b', 'c'], ['a', 'b c'], false],
    ['a reworded issue', ['a', 'No concrete example is given.'], ['a', 'An example is still missing.'], true],
    ['a reworded issue under another criterion', ['a', 'No example is given.'], ['b', 'An example is missing.'], false],
  ])('%s', (_name, [oneCriterion, oneText], [otherCriterion, otherText], same) => {
    const rows = issueLedger(
      historyOf(settingsOf(), [
        { score: 0.5, issues: [{ criterion: oneCriterion, text: oneText }] },
        { score: 0.5, issues: [{ criterion: otherCriterion, text: otherText }] },
      ]),
    );
    expect(rows).toHaveLength(same ? 1 : 2);
  });
});
