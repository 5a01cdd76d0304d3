import { describe, expect, test } from 'vitest';
import { type BestVersionRule, bestVersion } from './best-version.ts';
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

describe('two prompts with equal scores', () => {
  const settings = tuningSettingsOf();
  const best = (...made: PromptGiven[]) => {
    const given = [{}, ...made].map((one) => ({ ...one, scores: { 0: 0.5, 1: 0.5 }, evaluated: true }));
    return bestVersion(tuningHistory(settings, { train: 1, validation: 1 }, given), 'highest_score');
  };
  const parameters = { temperature: 0.3 };

  test.each<{ name: string; made: PromptGiven[]; picked: number }>([
    { name: 'the later one', made: [{ minibatch: [0] }], picked: 1 },
    { name: 'the one without worked examples', made: [{ minibatch: [0], demonstrations: [0] }], picked: 0 },
    {
      name: 'the one with the model and temperature of the settings',
      made: [{ minibatch: [0], parameters }],
      picked: 0,
    },
    {
      name: 'the later one with the settings, not the ones with other parameters between',
      made: [
        { minibatch: [0], parameters },
        { minibatch: [0], parent: 1 },
        { minibatch: [0], parent: 2, parameters: {} },
      ],
      picked: 3,
    },
  ])('the best is $name', ({ made, picked }) => {
    expect(best(...made)).toBe(picked);
  });
});
