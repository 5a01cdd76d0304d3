import { describe, expect, test } from 'vitest';
import { historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';
import { issueLedger } from './issue-ledger.ts';

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
      'opened, and open as long as it stands',
      [naming('Vague'), naming('Vague'), naming('Vague')],
      { Vague: { 0: 'opened', 1: 'open', 2: 'open' } },
    ],
    [
      'resolved once, then no more of it',
      [naming('Vague'), naming(), naming()],
      { Vague: { 0: 'opened', 1: 'resolved' } },
    ],
    [
      'raised again, then open',
      [naming('Vague'), naming(), naming('Vague'), naming('Vague')],
      { Vague: { 0: 'opened', 1: 'resolved', 2: 'again', 3: 'open' } },
    ],
    [
      'raised again, and resolved again',
      [naming('Vague'), naming(), naming('Vague'), naming()],
      { Vague: { 0: 'opened', 1: 'resolved', 2: 'again', 3: 'resolved' } },
    ],
    [
      'a later one',
      [naming('Vague'), naming('Vague', 'Long')],
      { Vague: { 0: 'opened', 1: 'open' }, Long: { 1: 'opened' } },
    ],
    [
      'the same in other case and punctuation, named once a version',
      [naming('Too long.'), naming('too  LONG!', 'Too long')],
      { 'Too long.': { 0: 'opened', 1: 'open' } },
    ],
    [
      'an unscored version says nothing',
      [naming('Vague'), null, naming('Vague')],
      { Vague: { 0: 'opened', 2: 'open' } },
    ],
    ['nor does a version that was not judged', [naming('Vague'), { judged: [] }], { Vague: { 0: 'opened' } }],
    [
      "a person's judgement counts",
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
    ['other letters than English ones', [null, 'Überflüssig.'], [null, 'überflüssig'], true],
    ['numbers', [null, 'Line 3 is long'], [null, 'Line 4 is long'], false],
    ['another criterion', ['a', 'Vague'], ['b', 'Vague'], false],
    ['a criterion and none', ['a', 'Vague'], [null, 'Vague'], false],
    ['the end of a name and the beginning of a text', ['a b', 'c'], ['a', 'b c'], false],
    ['other words for the same', ['a', 'No concrete example is given.'], ['a', 'An example is still missing.'], true],
    [
      'other words for it under another criterion',
      ['a', 'No example is given.'],
      ['b', 'An example is missing.'],
      false,
    ],
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
