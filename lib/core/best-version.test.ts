import { describe, expect, test } from 'vitest';
import { type BestVersionRule, bestParent, bestVersion } from './best-version.ts';
import { historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';
import { tuningSettingsOf } from './tuning/simulated-tunings.test-support.ts';
import { type PromptGiven, tuningHistory } from './tuning-history.test-support.ts';

type Row = { name: string; versions: VersionGiven[]; picks: Record<BestVersionRule, number | null> };

const person = (machine: number, score: number): VersionGiven => ({
  judged: [{ score: machine }, { by: 'person', score }],
});

/** The quality threshold is 0.8. */
const rows: Row[] = [
  {
    name: 'no version',
    versions: [],
    picks: { highest_score: null, latest: null, first_satisfactory: null, weighted_recency: null },
  },
  {
    name: 'no scored version',
    versions: [null],
    picks: { highest_score: null, latest: null, first_satisfactory: null, weighted_recency: null },
  },
  {
    name: 'one version',
    versions: [0],
    picks: { highest_score: 0, latest: 0, first_satisfactory: 0, weighted_recency: 0 },
  },
  {
    name: 'rising scores',
    versions: [0.2, 0.4, 0.6],
    picks: { highest_score: 2, latest: 2, first_satisfactory: 2, weighted_recency: 2 },
  },
  {
    name: 'a tie: the later one',
    versions: [0.6, 0.5, 0.6, 0.5],
    picks: { highest_score: 2, latest: 3, first_satisfactory: 2, weighted_recency: 2 },
  },
  {
    name: 'a tie except for rounding: the later one',
    versions: [0.1 + 0.2, 0.3],
    picks: { highest_score: 1, latest: 1, first_satisfactory: 1, weighted_recency: 1 },
  },
  {
    name: 'the first satisfactory one, even if a later one is better',
    versions: [0.5, 0.8, 0.95, 0.7],
    picks: { highest_score: 2, latest: 3, first_satisfactory: 1, weighted_recency: 2 },
  },
  {
    name: 'recency outweighs a small difference: 0.8 × 0.6 = 0.48 against 0.8 × 0.5 + 0.2 = 0.6',
    versions: [0.6, 0.5],
    picks: { highest_score: 0, latest: 1, first_satisfactory: 0, weighted_recency: 1 },
  },
  {
    name: 'recency does not outweigh a large difference: 0.72 against 0.52',
    versions: [0.9, 0.4],
    picks: { highest_score: 0, latest: 1, first_satisfactory: 0, weighted_recency: 0 },
  },
  {
    name: 'recency equals the difference: 0.8 × 0.75 = 0.6 against 0.8 × 0.5 + 0.2 = 0.6, the later one',
    versions: [0.75, 0.5],
    picks: { highest_score: 0, latest: 1, first_satisfactory: 0, weighted_recency: 1 },
  },
  {
    name: 'recency with three versions: 0.64, 0.66, 0.60',
    versions: [0.8, 0.7, 0.5],
    picks: { highest_score: 0, latest: 2, first_satisfactory: 0, weighted_recency: 1 },
  },
  {
    name: 'unscored versions are ignored',
    versions: [0.5, null, 0.4, null],
    picks: { highest_score: 0, latest: 2, first_satisfactory: 0, weighted_recency: 2 },
  },
  {
    name: 'cut-off attempts are ignored',
    versions: [0.5, { interrupted: true }],
    picks: { highest_score: 0, latest: 0, first_satisfactory: 0, weighted_recency: 0 },
  },
  {
    name: 'a cut-off version never precedes a complete one with the same score, even if it is later',
    versions: [0.6, { score: 0.6, cutOff: true }],
    picks: { highest_score: 0, latest: 0, first_satisfactory: 0, weighted_recency: 0 },
  },
  {
    name: 'a cut-off version with a higher score than every complete one',
    versions: [0.6, { score: 0.7, cutOff: true }, 0.5],
    picks: { highest_score: 1, latest: 2, first_satisfactory: 1, weighted_recency: 1 },
  },
  {
    name: 'a satisfactory cut-off version before a satisfactory complete one',
    versions: [{ score: 0.85, cutOff: true }, 0.85, 0.8],
    picks: { highest_score: 1, latest: 2, first_satisfactory: 1, weighted_recency: 2 },
  },
  {
    name: 'only cut-off versions',
    versions: [{ score: 0.6, cutOff: true }],
    picks: { highest_score: 0, latest: 0, first_satisfactory: 0, weighted_recency: 0 },
  },
  {
    name: 'the score of a person',
    versions: [0.7, person(0.9, 0.3), person(0.2, 0.85)],
    picks: { highest_score: 2, latest: 2, first_satisfactory: 2, weighted_recency: 2 },
  },
];

describe.each(rows)('$name', ({ versions, picks }) => {
  const history = historyOf(settingsOf(), versions);
  test.each(Object.entries(picks))('%s: %s', (rule, picked) => {
    expect(bestVersion(history, settingsOf({ bestVersion: isRule(rule) }).bestVersion)).toBe(picked);
  });
});

function isRule(name: string): BestVersionRule {
  if (name === 'latest' || name === 'first_satisfactory' || name === 'weighted_recency') return name;
  return 'highest_score';
}

/** `better`: it scores higher than the first prompt. */
type Made = PromptGiven & { better?: boolean };

describe('prompts with equal scores', () => {
  const settings = tuningSettingsOf();
  const historyWith = (made: Made[]) => {
    const given = [{}, ...made].map(({ better = false, ...one }: Made) => {
      const score = better ? 0.75 : 0.5;
      return { ...one, scores: { 0: score, 1: score }, evaluated: true };
    });
    return tuningHistory(settings, { train: 1, validation: 1 }, given);
  };
  const parameters = { temperature: 0.3 };

  test.each<{ name: string; made: Made[]; returned: number; base: number }>([
    { name: 'a proposal', made: [{ minibatch: [0] }], returned: 0, base: 1 },
    {
      name: 'two proposals, both better than the first prompt',
      made: [
        { minibatch: [0], better: true },
        { minibatch: [0], better: true },
      ],
      returned: 1,
      base: 2,
    },
    { name: 'a prompt that a person wrote', made: [{ origin: 'edited' }], returned: 1, base: 1 },
    {
      name: 'a proposal based on the prompt of a person',
      made: [{ origin: 'edited' }, { minibatch: [0], parent: 1 }],
      returned: 1,
      base: 2,
    },
    {
      name: 'the prompt of a person based on a proposal',
      made: [{ minibatch: [0] }, { origin: 'edited', parent: 1 }],
      returned: 2,
      base: 2,
    },
    { name: 'worked examples', made: [{ minibatch: [0], demonstrations: [0] }], returned: 0, base: 0 },
    { name: 'another temperature', made: [{ minibatch: [0], parameters }], returned: 0, base: 0 },
    {
      name: 'a later prompt with the settings, and earlier ones with other parameters',
      made: [
        { minibatch: [0], parameters, better: true },
        { minibatch: [0], parent: 1, better: true },
        { minibatch: [0], parent: 2, parameters: {}, better: true },
      ],
      returned: 3,
      base: 3,
    },
  ])('$name: the run returns v$returned, and the next prompt is based on v$base', ({ made, returned, base }) => {
    const history = historyWith(made);
    expect(bestVersion(history, 'highest_score')).toBe(returned);
    expect(bestParent(history)).toBe(base);
  });

  test('no prompt is based on a deleted text', () => {
    const history = historyWith([{ minibatch: [0] }, { minibatch: [0] }]);
    const versions = history.versions.map((version) => ({ ...version, outputDropped: version.number === 2 }));
    expect(bestParent({ ...history, versions })).toBe(1);
  });
});
