import { expect, test } from 'vitest';
import { type Decision, EMPTY_HISTORY, type History, type Split, type Version } from '#lib/core/history.ts';
import { historyOf, settingsOf } from '#lib/core/history-of.test-support.ts';
import { tryOf } from '#lib/core/tuning-history.test-support.ts';
import { tuningSummary, tuningSummarySchema } from './tuning-summary.ts';

const settings = settingsOf({ mode: 'tune', prompts: { generate: '{{input}}' } });
const SPLITS: Split[] = ['train', 'train', 'train', 'validation', 'validation', 'held_out'];
const plain = firstOf(historyOf(settings, [0]).versions);
const scored = firstOf(historyOf(settings, [0]).evaluations);

function firstOf<One>([first]: One[]): One {
  if (first === undefined) throw new Error('a history of one version has a version and a score');
  return first;
}

type Given = {
  /** Scores by position; null for a case that was run but could not be scored. */
  tries: Record<number, number | null>;
  parent?: number;
  positions?: number[];
  evaluated?: number;
  origin?: Version['origin'];
  problems?: NonNullable<Version['proposal']>['problems'];
  made?: Pick<NonNullable<Version['proposal']>, 'merged' | 'combined' | 'demonstrations'>;
  output?: string;
};

/** Returns a tuning run with three training cases (0 to 2), two validation cases (3, 4) and one held-out case (5). */
function tuned(given: Given[], splits = SPLITS): History {
  return {
    ...EMPTY_HISTORY,
    calls: 12,
    cases: splits.map((split, position) => ({
      input: `case ${position}`,
      reference: `right ${position}`,
      tags: [],
      metadata: {},
      position,
      split,
    })),
    versions: given.map(({ parent, positions, origin, problems, made, output }, number) => ({
      ...plain,
      number,
      origin: origin ?? (number === 0 ? 'given' : 'revised'),
      parents: number === 0 ? [] : [parent ?? 0],
      output: output ?? `prompt ${number}`,
      proposal:
        number === 0 || origin !== undefined
          ? null
          : {
              ...{ round: number - 1, positions: positions ?? [0, 1], diagnosis: `why ${number}` },
              ...{ problems: problems ?? [], ...made },
            },
    })),
    evaluations: given.flatMap(({ evaluated }, version) =>
      evaluated === undefined ? [] : [{ ...scored, version, status: 'scored', overallScore: evaluated }],
    ),
    tries: given.flatMap(({ tries }, version) =>
      Object.entries(tries).map(([position, score]) => ({
        ...tryOf({ tries: [], step: 0 }, version, Number(position), score),
        satisfactory: score === 1,
        paidBefore: version === 1,
      })),
    ),
  };
}

const run = tuned([
  { tries: { 0: 0, 1: 1, 3: 1, 4: 0, 5: 0 }, evaluated: 0.5 },
  { tries: { 0: 0, 1: 1 } },
  { tries: { 0: 1, 1: 1, 3: 0, 4: 1, 5: 1 }, evaluated: 0.5 },
  { tries: { 0: 1, 1: 1, 3: 1 }, parent: 2, positions: [0, 1] },
  { tries: {}, parent: 2, problems: [{ kind: 'truncated', text: 'cut off' }] },
]);

test('returns the state of each prompt and its minibatch scores next to its parent', () => {
  const { versions } = tuningSummary(run, settings);
  expect(versions.map(({ state }) => state)).toEqual(['given', 'rejected', 'candidate', 'rejected', 'held_back']);
  expect(versions.map(({ minibatch }) => minibatch)).toEqual([
    null,
    { positions: [0, 1], before: 1, after: 1, of: 2 },
    { positions: [0, 1], before: 1, after: 2, of: 2 },
    { positions: [0, 1], before: 2, after: 2, of: 2 },
    null,
  ]);
  expect(versions[4]?.problems).toEqual([{ kind: 'truncated', text: 'cut off' }]);
  expect(versions[2]?.diagnosis).toBe('why 2');
});

test('a mean includes its number of cases, and an incomplete evaluation has no mean', () => {
  const [given, rejected, candidate, half] = tuningSummary(run, settings).versions;
  expect(given?.validation).toMatchObject({ n: 2, mean: 0.5 });
  expect(given?.chosenBy).toEqual(given?.validation);
  expect(given?.train).toMatchObject({ n: 2, mean: 0.5 });
  expect(given?.heldOut).toMatchObject({ n: 1, mean: 0 });
  expect(candidate?.heldOut).toMatchObject({ n: 1, mean: 1 });
  expect(rejected).toMatchObject({ validation: null, heldOut: null, tried: { train: 2, validation: 0, heldOut: 0 } });
  expect(half).toMatchObject({ validation: null, tried: { train: 2, validation: 1, heldOut: 0 } });
});

test('only candidates lead on a case, and all with the top score share the lead', () => {
  expect(tuningSummary(run, settings).versions.map(({ leads }) => leads)).toEqual([[3], [], [4], [], []]);
  const shared = tuned([
    { tries: { 3: 1, 4: 0.5 }, evaluated: 0.75 },
    { tries: { 3: 1, 4: 0.4 }, evaluated: 0.7, origin: 'edited' },
  ]);
  expect(tuningSummary(shared, settings).versions.map(({ leads }) => leads)).toEqual([[3, 4], [3]]);
});

test('an unscored case is excluded, not counted as 0', () => {
  const { versions } = tuningSummary(tuned([{ tries: { 0: 1, 1: null, 3: null, 4: 1 } }]), settings);
  expect(versions[0]).toMatchObject({
    train: { n: 1, mean: 1 },
    validation: null,
    tried: { validation: 2 },
    leads: [],
    leadsCriteria: [],
  });
});

test('training cases select the prompt if there are no validation cases', () => {
  const summary = tuningSummary(
    tuned([{ tries: { 0: 1, 1: 0, 2: 0 }, evaluated: 0.33 }], ['train', 'train', 'train']),
    settings,
  );
  expect(summary).toMatchObject({ validatesOn: 'train', cases: { train: 3, validation: 0, heldOut: 0 } });
  expect(summary.versions[0]).toMatchObject({ validation: null, heldOut: null, leads: [0, 1, 2], train: { n: 3 } });
  expect(summary.versions[0]?.chosenBy).toEqual(summary.versions[0]?.train);
});

test('total counts', () => {
  const summary = tuningSummary(run, settings);
  expect(summary).toMatchObject({
    cases: { train: 3, validation: 2, heldOut: 1 },
    validatesOn: 'validation',
    proposals: 4,
    accepted: 0,
    shownBetter: 0,
    redraw: null,
    calls: 12,
    tries: 15,
    paidBefore: 2,
    heldOutTries: 2,
    baselineTries: 4,
  });
  expect(tuningSummarySchema.parse(summary)).toEqual(summary);
});

test('compares the best prompt case by case, and only if every case is scored for both', () => {
  const summary = tuningSummary(
    tuned([
      { tries: { 3: 0, 4: 0.5, 5: 0 }, evaluated: 0.25 },
      { tries: { 3: 1, 4: 1, 5: 1 }, evaluated: 1 },
    ]),
    settings,
  );
  expect(summary.gain).toMatchObject({
    version: 1,
    // Both of only two cases: not enough evidence.
    chosenBy: { n: 2, lift: 0.75, low: -1, high: 1, isNoise: true, verdict: 'not_enough_evidence' },
    heldOut: { n: 1, lift: 1, low: null, high: null, isNoise: true },
  });
  const partly = tuned([
    { tries: { 3: 0, 4: 0, 5: null }, evaluated: 0 },
    { tries: { 3: 1, 4: 1, 5: 1 }, evaluated: 1 },
  ]);
  expect(tuningSummary(partly, settings).gain).toMatchObject({ version: 1, heldOut: null });
  expect(tuningSummary(tuned([{ tries: { 3: 1, 4: 1, 5: 1 }, evaluated: 1 }]), settings).gain).toBeNull();
});

test('the gain is that of the accepted prompt, if any', () => {
  const history = tuned([
    { tries: { 3: 0, 4: 0 }, evaluated: 0 },
    { tries: { 3: 0, 4: 1 }, evaluated: 0.5 },
    { tries: { 3: 1, 4: 1 }, evaluated: 1 },
  ]);
  const accept = { ...decisionOf(), decision: 'accept' as const, version: 1 };
  expect(tuningSummary({ ...history, decisions: [accept] }, settings).gain).toMatchObject({
    version: 1,
    chosenBy: { n: 2, lift: 0.5 },
  });
});

function decisionOf(): Decision {
  return {
    hook: 'onReflection',
    version: null,
    iteration: 0,
    decision: 'continue',
    by: 'person',
    actor: 'somebody',
    reason: null,
    score: null,
    criterion: null,
    guidance: null,
    toolCallId: null,
    toolArguments: null,
    seen: null,
    pauseId: null,
    at: '2026-01-01T00:00:00.000Z',
    step: 99,
  };
}

test('counts training cases whose reference the reflection model saw, none if references are off', () => {
  expect(tuningSummary(run, settings).referencesSeen).toBe(2);
  const off = { ...settings, tune: { ...settings.tune, references: false } };
  expect(tuningSummary(run, off).referencesSeen).toBe(0);
});

test('examples and merges show no references; generating the first prompt shows all of few training cases', () => {
  const seen = (given: Given[]) => tuningSummary(tuned(given), settings).referencesSeen;
  const original: Given = { tries: {} };
  expect(seen([original, { tries: {}, positions: [2], made: { demonstrations: [0, 1] } }])).toBe(0);
  expect(seen([original, { tries: {}, positions: [3], made: { merged: true } }])).toBe(0);
  expect(seen([{ tries: {}, origin: 'generated' }])).toBe(3);
  // Case 3 became a training case after the prompt was generated.
  const redraw = { toTraining: [3], toValidation: [], createdAt: '2026-01-05T10:00:00.000Z', step: 1 };
  const redrawn: Split[] = ['train', 'train', 'train', 'train', 'validation', 'held_out'];
  const generated = { ...tuned([{ tries: {}, origin: 'generated' }], redrawn), redraw };
  expect(tuningSummary(generated, settings).referencesSeen).toBe(3);
});

test('returns how each prompt was created', () => {
  const { versions, proposals } = tuningSummary(
    tuned([
      { tries: {} },
      { tries: {} },
      { tries: {}, made: { combined: [1] } },
      { tries: {}, made: { merged: true } },
      { tries: {}, made: { demonstrations: [0] } },
      { tries: {}, origin: 'edited' },
    ]),
    settings,
  );
  expect(versions.map(({ kind }) => kind)).toEqual([
    ...['original', 'proposal', 'combination', 'merge', 'examples', 'by_hand'],
  ]);
  expect(proposals).toBe(1);
});

test('a held-back repeated prompt has no scores and does not count as shown better', () => {
  const splits: Split[] = [...SPLITS.slice(0, 3), ...Array.from({ length: 8 }, () => 'validation' as const)];
  const onAll = (score: number) => Object.fromEntries(Array.from({ length: 8 }, (_case, at) => [at + 3, score]));
  const { versions, shownBetter } = tuningSummary(
    tuned(
      [
        { tries: { 0: 0, 1: 0, ...onAll(0) }, evaluated: 0 },
        { tries: { 0: 1, 1: 1, ...onAll(1) }, evaluated: 1 },
        { tries: {}, output: 'prompt 1', problems: [{ kind: 'repeated', text: 'It repeats v1.' }] },
      ],
      splits,
    ),
    settings,
  );
  expect(versions[2]).toMatchObject({
    ...{ state: 'held_back', chosenBy: null, train: null, validation: null, evidence: null, minibatch: null },
    tried: { train: 0, validation: 0, heldOut: 0 },
  });
  expect(shownBetter).toBe(1);
});

test('a gain needs six changed cases, and more when chosen among several candidates', () => {
  const splits: Split[] = [...SPLITS.slice(0, 3), ...Array.from({ length: 8 }, () => 'validation' as const), 'train'];
  const onAll = (score: number, held: number) =>
    Object.fromEntries([...Array.from({ length: 8 }, (_case, at) => [at + 3, score]), [11, held]]);
  const given = { tries: { 0: 0, 1: 0, ...onAll(0, 0) }, evaluated: 0 };
  const better = { tries: { 0: 1, 1: 1, ...onAll(1, 0) }, evaluated: 1 };
  const one = tuningSummary(tuned([given, better], splits), settings);
  expect(one.gain?.chosenBy).toMatchObject({ n: 8, lift: 1, isNoise: false, p: 0.0078125, verdict: 'better' });
  expect(one).toMatchObject({ accepted: 1, shownBetter: 1 });
  const edited = { tries: onAll(0.5, 0), evaluated: 0.5, origin: 'edited' as const };
  const many = tuningSummary(tuned([given, better, ...Array.from({ length: 7 }, () => edited)], splits), settings);
  expect(many.gain?.chosenBy).toMatchObject({ p: 0.0625, isNoise: true, verdict: 'not_enough_evidence' });
});
