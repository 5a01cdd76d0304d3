import { describe, expect, test } from 'vitest';
import { minibatch } from '#lib/core/tuning/minibatch.ts';
import { appendResult } from './append-result.ts';
import type { Decision, History } from './history.ts';
import { decided, decisionOf, failureOf } from './history-of.test-support.ts';
import { nextStep, reasonsToEnd } from './next-step.ts';
import type { ExperimentSettings, ExperimentSettingsInput } from './settings.ts';
import type { Step } from './step.ts';
import { tuningSettingsOf } from './tuning/simulated-tunings.test-support.ts';
import { type PromptGiven, tuningHistory, withTries } from './tuning-history.test-support.ts';

const NOW = new Date('2026-01-05T12:00:00.000Z');
const COUNTS = { train: 4, validation: 2, held_out: 2 };
/** Positions 0 to 3 are training, 4 and 5 validation, 6 and 7 held-out cases. */
const VALIDATED = { scores: { 4: 0.25, 5: 0.25 }, evaluated: true };

type Scene = { settings: ExperimentSettings; history: History };

function scene(given: PromptGiven[], changes: Partial<ExperimentSettingsInput> = {}, counts = COUNTS): Scene {
  const settings = tuningSettingsOf({ tune: { minibatchSize: 2, maxRepeats: 1 }, ...changes });
  return { settings, history: tuningHistory(settings, counts, given) };
}

/** Returns the step after the policy let the last version continue. */
function stepOf({ settings, history }: Scene): Step {
  const step = nextStep(history, settings, NOW);
  if (step.type !== 'proceed') return step;
  const policy = { by: 'policy' as const, version: step.version };
  return nextStep(withDecisions(history, decisionOf('continue', policy)), settings, NOW);
}

/** Adds decisions made after everything in the history so far. */
function withDecisions(history: History, ...decisions: Decision[]): History {
  const later = { ...history, step: history.step + 1 };
  return decided(later, ...decisions);
}

function byPerson(decision: Decision['decision'], given: Partial<Decision> = {}): Decision {
  return decisionOf(decision, { pauseId: 'p', ...given });
}

const FIRST_BATCH = minibatch(scene([]).history, scene([]).settings, 0, 0);
const [a = -1, b = -1] = FIRST_BATCH;
const others = [0, 1, 2, 3].filter((position) => !FIRST_BATCH.includes(position));
const [c = -1, d = -1] = others;

describe('steps of a candidate', () => {
  test.each<{ name: string; given: PromptGiven[]; step: object }>([
    { name: 'begins with the given prompt', given: [], step: { type: 'give' } },
    {
      name: 'scores the given prompt on the validation cases',
      given: [{}],
      step: { type: 'try', parts: [{ version: 0, positions: [4, 5] }], purpose: 'validation' },
    },
    {
      name: 'scores it on validation cases without a score',
      given: [{ scores: { 4: 0.5 } }],
      step: { type: 'try', parts: [{ version: 0, positions: [5] }], purpose: 'validation' },
    },
    {
      name: 'scores a case that could not be scored once more',
      given: [{ scores: { 4: 0.5, 5: null } }],
      step: { type: 'try', parts: [{ version: 0, positions: [5] }], purpose: 'validation' },
    },
    {
      name: 'evaluates the prompt once all validation cases are scored',
      given: [{ scores: { 4: 0.5, 5: 0.5 } }],
      step: { type: 'evaluate', version: 0 },
    },
    {
      name: 'scores the prompt on the minibatch of the first round',
      given: [VALIDATED],
      step: { type: 'try', parts: [{ version: 0, positions: [a, b] }], purpose: 'minibatch' },
    },
    {
      name: 'requests a proposal from the minibatch',
      given: [{ ...VALIDATED, scores: { ...VALIDATED.scores, [a]: 1, [b]: 0.5 } }],
      step: { type: 'propose', proposals: [{ parent: 0, round: 0, positions: [a, b] }] },
    },
    {
      name: 'skips a round in which all cases pass',
      given: [{ ...VALIDATED, scores: { ...VALIDATED.scores, [a]: 1, [b]: 1, [c]: 0.5, [d]: 1 } }],
      step: { type: 'propose', proposals: [{ parent: 0, round: 1, positions: expect.arrayContaining([c, d]) }] },
    },
    {
      name: 'scores a proposal on its minibatch',
      given: [{ ...VALIDATED, scores: { ...VALIDATED.scores, [a]: 0, [b]: 0 } }, { minibatch: [a, b] }],
      step: { type: 'try', parts: [{ version: 1, positions: [a, b] }], purpose: 'minibatch' },
    },
    {
      name: 'scores a proposal that improved on the validation cases',
      given: [
        { ...VALIDATED, scores: { ...VALIDATED.scores, [a]: 0, [b]: 0 } },
        { minibatch: [a, b], scores: { [a]: 0.5, [b]: 0 } },
      ],
      step: { type: 'try', parts: [{ version: 1, positions: [4, 5] }], purpose: 'validation' },
    },
    {
      name: 'starts the next round after a proposal without improvement',
      given: [
        { ...VALIDATED, scores: { ...VALIDATED.scores, [a]: 0, [b]: 0 } },
        { minibatch: [a, b], round: 0, scores: { [a]: 0, [b]: 0 } },
      ],
      step: { type: 'try', parts: [{ version: 0, positions: expect.arrayContaining([c, d]) }], purpose: 'minibatch' },
    },
    {
      name: 'starts the next round after a held-back proposal',
      given: [
        { ...VALIDATED, scores: { ...VALIDATED.scores, [a]: 0, [b]: 0 } },
        { minibatch: [a, b], round: 0, problems: [{ kind: 'truncated', text: 'cut' }] },
      ],
      step: { type: 'try', parts: [{ version: 0, positions: expect.arrayContaining([c, d]) }], purpose: 'minibatch' },
    },
    {
      name: 'scores a manual prompt directly on the validation cases',
      given: [VALIDATED, { origin: 'edited' }],
      step: { type: 'try', parts: [{ version: 1, positions: [4, 5] }], purpose: 'validation' },
    },
    {
      name: 'does not score an identical text again',
      given: [VALIDATED, { origin: 'edited', output: 'Prompt 0: {{input}}' }],
      step: { type: 'evaluate', version: 1 },
    },
  ])('$name', ({ given, step }) => {
    expect(stepOf(scene(given))).toEqual(step);
  });

  test('validates on the training cases if there are no validation cases', () => {
    const counts = { train: 3, validation: 0, held_out: 1 };
    expect(stepOf(scene([{}], {}, counts))).toMatchObject({ parts: [{ positions: [0, 1, 2] }], purpose: 'validation' });
  });

  test('skips rounds until a whole epoch has passed, from any round', () => {
    // The first round leaves one failing case, which comes up again in the last round of the next epoch.
    const settings = tuningSettingsOf({ tune: { minibatchSize: 2, seed: 1 } });
    const { history: cases } = scene([]);
    const batches = [0, 1, 2, 3].map((round) => minibatch(cases, settings, round, 0));
    const failing = batches[0]?.find((position) => batches[3]?.includes(position)) ?? -1;
    const scores = { 0: 1, 1: 1, 2: 1, 3: 1, 4: 0.25, 5: 0.25, [failing]: 0.5 };
    const rejected = { minibatch: batches[0] ?? [], round: 0, scores: { 0: 0, 1: 0, 2: 0, 3: 0 } };
    const history = tuningHistory(settings, COUNTS, [{ scores, evaluated: true }, rejected]);
    expect(stepOf({ settings, history })).toEqual({
      type: 'propose',
      proposals: [{ parent: 0, round: 3, positions: batches[3] }],
    });
  });

  test('splits many cases into several steps', () => {
    const step = stepOf(scene([{}], {}, { train: 1, validation: 80, held_out: 0 }));
    const positions = Array.from({ length: 64 }, (_case, at) => at + 1);
    expect(step).toMatchObject({ parts: [{ positions }] });
  });
});

const FAILING = { ...VALIDATED, scores: { ...VALIDATED.scores, [a]: 0, [b]: 0 } };
const ALL_RIGHT = { ...VALIDATED, scores: { ...VALIDATED.scores, 0: 1, 1: 1, 2: 1, 3: 1 } };
const HELD_OUT = { 6: 0, 7: 0 };

describe('end of a tuning run', () => {
  test.each<{ name: string; given: PromptGiven[]; changes?: Partial<ExperimentSettingsInput>; reason: string }>([
    {
      name: 'the given prompt meets the threshold',
      given: [{ scores: { 4: 1, 5: 0.75, ...HELD_OUT }, evaluated: true }],
      reason: 'quality_met',
    },
    {
      name: 'nothing failed in an epoch or in validation',
      given: [{ scores: { ...ALL_RIGHT.scores, 4: 1, 5: 1, ...HELD_OUT }, evaluated: true }],
      // A run that continues although its quality is met.
      changes: { qualityThreshold: 1, criteria: [{ name: 'right', threshold: 1, evaluator: 'llm' }] },
      reason: 'quality_met',
    },
    {
      name: 'the cap',
      given: [
        { ...FAILING, scores: { ...FAILING.scores, ...HELD_OUT } },
        { minibatch: [a, b], scores: { [a]: 0, [b]: 0 } },
      ],
      changes: { maxIterations: 1 },
      reason: 'max_iterations',
    },
    {
      name: 'a plateau of candidates',
      given: [
        { ...FAILING, scores: { ...FAILING.scores, ...HELD_OUT } },
        { minibatch: [a, b], scores: { [a]: 1, [b]: 0, 4: 0, 5: 0.25 }, evaluated: true },
      ],
      changes: { convergence: { plateauIterations: 1 } },
      reason: 'plateau',
    },
    { name: 'a case that cannot be scored', given: [{ scores: { 4: null, 5: 0 } }], reason: 'evaluation_failed' },
  ])('$name: $reason', ({ given, changes, reason }) => {
    const { settings, history } = scene(given, changes);
    const again = reason === 'evaluation_failed' ? withTries(history, 0, { 4: null }) : history;
    const step = stepOf({ settings, history: again });
    expect(step).toMatchObject({
      type: 'stop',
      ending: { reason, success: reason === 'quality_met', finalVersion: reason === 'evaluation_failed' ? null : 0 },
    });
  });

  test('nothing to mend: solves all training cases, without a validation split', () => {
    const counts = { train: 3, validation: 0, held_out: 0 };
    const { settings, history } = scene([{ scores: { 0: 1, 1: 1, 2: 1 } }], { qualityThreshold: 1 }, counts);
    const evaluated = { ...history, decisions: [] };
    expect(stepOf({ settings, history: evaluated })).toMatchObject({ type: 'evaluate' });
    const good = scene([{ scores: { 0: 1, 1: 1, 2: 1 }, evaluated: true }], { qualityThreshold: 1 }, counts);
    const onwards = withDecisions(good.history, byPerson('continue', { version: 0 }));
    expect(nextStep(onwards, good.settings, NOW)).toMatchObject({
      type: 'stop',
      ending: { reason: 'nothing_to_mend' },
    });
  });

  test('rejected proposals do not count toward a plateau', () => {
    const { settings, history } = scene(
      [
        FAILING,
        { minibatch: [a, b], round: 0, scores: { [a]: 0, [b]: 0 } },
        { minibatch: [a, b], round: 1, scores: { [a]: 0, [b]: 0 } },
      ],
      { convergence: { plateauIterations: 1 } },
    );
    expect(stepOf({ settings, history }).type).not.toBe('stop');
  });

  test('scores the first and the best prompt on the held-out cases before the end', () => {
    const better = { minibatch: [a, b], scores: { [a]: 1, [b]: 0, 4: 1, 5: 0.75 }, evaluated: true };
    const { settings, history } = scene([FAILING, better]);
    const first = nextStep(history, settings, NOW);
    const both = [0, 1].map((version) => ({ version, positions: [6, 7] }));
    expect(first).toEqual({ type: 'try', parts: both, purpose: 'held_out' });
    const tried = withTries(withTries(history, 0, { 6: 1, 7: null }), 1, { 6: 0, 7: 0 });
    // Retried once, then left without a score.
    expect(nextStep(tried, settings, NOW)).toMatchObject({ parts: [{ version: 0, positions: [7] }] });
    expect(nextStep(withTries(tried, 0, { 7: null }), settings, NOW)).toMatchObject({
      type: 'stop',
      ending: { reason: 'quality_met', bestVersion: 1, finalVersion: 1 },
    });
  });

  test('scores a version accepted at a pause on them; otherwise accepting ends the run at once', () => {
    const { settings, history } = scene([
      FAILING,
      { minibatch: [a, b], scores: { [a]: 1, [b]: 0, 4: 0, 5: 0 }, evaluated: true },
    ]);
    const tried = withTries(history, 0, HELD_OUT);
    const accepted = withDecisions(tried, byPerson('accept', { version: 1 }));
    expect(nextStep(accepted, settings, NOW)).toMatchObject({
      type: 'try',
      parts: [{ version: 1 }],
      purpose: 'held_out',
    });
    const done = withTries(accepted, 1, HELD_OUT);
    expect(nextStep(done, settings, NOW)).toMatchObject({
      type: 'stop',
      ending: { reason: 'user_accepted', finalVersion: 1, success: true },
    });
    const outOfTurn = withDecisions(tried, decisionOf('accept', { version: 1 }));
    expect(nextStep(outOfTurn, settings, NOW)).toMatchObject({ type: 'stop', ending: { reason: 'user_accepted' } });
  });

  test.each<{ name: string; changes: Partial<ExperimentSettingsInput>; calls: number; reason: string | null }>([
    { name: 'a budget of calls', changes: { budget: { maxCalls: 10 } }, calls: 9, reason: 'call_budget' },
    {
      name: 'one that fits the next example score and its judge call',
      changes: { budget: { maxCalls: 10 } },
      calls: 8,
      reason: null,
    },
  ])('$name', ({ changes, calls, reason }) => {
    const { settings, history } = scene([{ scores: { 4: 0.5 } }], changes);
    const step = nextStep({ ...history, calls }, settings, NOW);
    if (reason === null) expect(step).toMatchObject({ type: 'try', parts: [{ positions: [5] }] });
    else expect(step).toMatchObject({ type: 'stop', ending: { reason, success: false } });
  });

  test('a failure ends the run immediately', () => {
    const { settings, history } = scene([{ scores: { 4: 0.5 } }]);
    const failed = { ...history, failure: failureOf('model_failed', history) };
    expect(nextStep(failed, settings, NOW)).toMatchObject({ type: 'stop', ending: { reason: 'model_failed' } });
  });
});

describe('candidate that solves all training cases', () => {
  const COUNTS_8 = { train: 6, validation: 4, held_out: 2 };
  const RIGHT = Object.fromEntries([0, 1, 2, 3, 4, 5].map((position) => [position, 1]));
  /** Solves all training cases and fails these validation cases (6 to 9). */
  const missing = (...missed: number[]): PromptGiven => ({
    scores: { ...RIGHT, ...Object.fromEntries([6, 7, 8, 9].map((at) => [at, missed.includes(at) ? 0 : 1])) },
    evaluated: true,
  });
  const changes = { qualityThreshold: 1, tune: { minibatchSize: 2 } };
  const redrawOf = (given: PromptGiven[], seed = 0) =>
    stepOf(scene(given, { ...changes, tune: { minibatchSize: 2, seed } }, COUNTS_8));

  test('moves half of its failed validation cases to training and replaces them with unseen training cases', () => {
    const step = redrawOf([missing(6, 7, 8)]);
    if (step.type !== 'redraw') throw new Error(`unexpected step: ${step.type}`);
    expect(step.toTraining).toHaveLength(2);
    expect([6, 7, 8]).toEqual(expect.arrayContaining(step.toTraining));
    expect(step.toValidation).toHaveLength(2);
    expect([0, 1, 2, 3, 4, 5]).toEqual(expect.arrayContaining(step.toValidation));
    expect(redrawOf([missing(6, 7, 8)])).toEqual(step);
    const drawn = [1, 2, 3, 4, 5].map((seed) => JSON.stringify(redrawOf([missing(6, 7, 8)], seed)));
    expect(new Set(drawn).size).toBeGreaterThan(1);
  });

  test('scores another improvable candidate first, once', () => {
    const first = { scores: { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 1, 7: 0, 8: 0, 9: 0 }, evaluated: true };
    const second = { ...missing(6), minibatch: [0, 1], round: 0 };
    const given = [first, second];
    const best = { ...changes, tune: { minibatchSize: 2, selection: 'best' as const } };
    expect(stepOf(scene(given, best, COUNTS_8))).toMatchObject({
      type: 'propose',
      proposals: [{ parent: 0, round: 1 }],
    });
    const rejected = { minibatch: [2, 3], round: 1, scores: { 2: 0, 3: 0 } };
    expect(stepOf(scene([...given, rejected], best, COUNTS_8))).toMatchObject({ type: 'redraw', toTraining: [6] });
  });

  test('scores every validated prompt on the new cases before the redraw, then evaluates again', () => {
    const weak = { scores: { 6: 0, 7: 0, 8: 0, 9: 0, 0: 0, 1: 0 }, evaluated: true };
    const { settings, history } = scene([weak, { ...missing(6), minibatch: [0, 1], round: 0 }], changes, COUNTS_8);
    const due = stepOf({ settings, history });
    if (due.type !== 'try') throw new Error(`unexpected step: ${due.type}`);
    expect(due).toMatchObject({ parts: [{ version: 0 }], purpose: 'validation' });
    const positions = due.parts[0]?.positions ?? [];
    expect(positions).toHaveLength(1);
    expect([2, 3, 4, 5]).toEqual(expect.arrayContaining(positions));
    const tried = due.parts.reduce(
      (before, { version }) =>
        withTries(before, version, Object.fromEntries(positions.map((position) => [position, 0]))),
      history,
    );
    const step = stepOf({ settings, history: tried });
    if (step.type !== 'redraw') throw new Error(`unexpected step: ${step.type}`);
    expect(step).toEqual({ type: 'redraw', toTraining: [6], toValidation: positions });
    const redraw = { ...step, createdAt: NOW.toISOString(), step: tried.step };
    const redrawn = appendResult(tried, { type: 'redraw', redraw });
    expect(redrawn.cases.find(({ position }) => position === 6)?.split).toBe('train');
    // The best on the old set comes first, so that a prompt can be returned if the run ends now.
    expect(stepOf({ settings, history: redrawn })).toEqual({ type: 'evaluate', version: 1 });
  });

  test('only shrinks the validation set if all training cases were used', () => {
    const learned = { ...missing(6, 7), minibatch: [0, 1, 2, 3, 4, 5], round: 0 };
    const weak = { scores: { ...RIGHT, 0: 0, 6: 0, 7: 0, 8: 0, 9: 0 }, evaluated: true };
    expect(redrawOf([weak, learned])).toMatchObject({ type: 'redraw', toValidation: [] });
  });
});

describe('parallel proposals', () => {
  const changes = { qualityThreshold: 1, tune: { minibatchSize: 2, proposalsAtOnce: 2 } };
  const none = { ...VALIDATED, scores: { ...VALIDATED.scores, [a]: 0, [b]: 0, [c]: 0, [d]: 0 } };
  const both = [
    { minibatch: [a, b], round: 0, scores: { [a]: 1, [b]: 0 } },
    { minibatch: [c, d], round: 1, scores: { [c]: 1, [d]: 1 } },
  ];
  const combination = { minibatch: [a, b, c, d], round: 2, combined: [1, 2] };

  test.each<{ name: string; given: Parameters<typeof tuningHistory>[2]; step: object }>([
    {
      name: 'score their prompt on all their cases first',
      given: [VALIDATED],
      step: {
        type: 'try',
        parts: [
          { version: 0, positions: [a, b] },
          { version: 0, positions: expect.arrayContaining([c, d]) },
        ],
        purpose: 'minibatch',
      },
    },
    {
      name: 'use different cases each',
      given: [none],
      step: {
        type: 'propose',
        proposals: [
          { parent: 0, round: 0, positions: [a, b] },
          { parent: 0, round: 1, positions: expect.arrayContaining([c, d]) },
        ],
      },
    },
    {
      name: 'skip a round without failures',
      given: [{ ...none, scores: { ...none.scores, [a]: 1, [b]: 1 } }],
      step: { type: 'propose', proposals: [{ round: 1 }, { round: 2 }] },
    },
    {
      name: 'are scored together',
      given: [none, both.map((one) => ({ ...one, scores: {} }))],
      step: { type: 'try', parts: [{ version: 1 }, { version: 2 }], purpose: 'minibatch' },
    },
    {
      name: 'are combined if several were accepted',
      given: [none, both],
      step: { type: 'combine', parent: 0, versions: [1, 2], components: [undefined], round: 1 },
    },
    {
      name: 'are validated individually if only one was accepted',
      given: [none, [{ ...both[0], scores: { [a]: 0, [b]: 0 } }, both[1] ?? {}]],
      step: { type: 'try', parts: [{ version: 2, positions: [4, 5] }], purpose: 'validation' },
    },
    {
      name: 'score their combination directly on the validation cases',
      given: [none, both, combination],
      step: { type: 'try', parts: [{ version: 3, positions: [4, 5] }], purpose: 'validation' },
    },
    {
      name: 'validate the best of them if the combination cannot be used',
      given: [none, both, { ...combination, problems: [{ kind: 'empty', text: '' }] }],
      step: { type: 'try', parts: [{ version: 2, positions: [4, 5] }], purpose: 'validation' },
    },
    {
      name: 'validate only the combination if it is flagged, but not held back',
      given: [none, both, { ...combination, problems: [{ kind: 'copied_example', text: '' }] }],
      step: { type: 'try', parts: [{ version: 3, positions: [4, 5] }], purpose: 'validation' },
    },
    {
      name: 'validate the best of them if the combination is no better than their prompt',
      given: [none, both, { ...combination, scores: { 4: 0, 5: 0.5 }, evaluated: true }],
      step: { type: 'try', parts: [{ version: 2, positions: [4, 5] }], purpose: 'validation' },
    },
  ])('$name', ({ given, step }) => {
    const settings = tuningSettingsOf({ ...changes, tune: { ...changes.tune, maxRepeats: 1 } });
    expect(stepOf({ settings, history: tuningHistory(settings, COUNTS, given) })).toMatchObject(step);
  });

  test('the best proposal is validated if the combination loses an anchor case', () => {
    const settings = tuningSettingsOf({ ...changes, tune: { ...changes.tune, maxRepeats: 1 } });
    const better = { ...none, scores: { ...none.scores, 4: 1, 5: 0 }, evaluated: true };
    const made = tuningHistory(settings, COUNTS, [better, both, { ...combination, scores: { 4: 0 } }]);
    const cases = made.cases.map((one) => (one.position === 4 ? { ...one, tags: ['anchor'] } : one));
    expect(stepOf({ settings, history: { ...made, cases } })).toMatchObject({
      type: 'try',
      parts: [{ version: 2, positions: [4] }],
    });
  });

  test('a run ends once any of them meets the threshold, in any scoring order', () => {
    const settings = tuningSettingsOf({ ...changes, qualityThreshold: 0.5, tune: { ...changes.tune, maxRepeats: 1 } });
    const weak = { ...none, scores: { ...none.scores, 4: 0, 5: 0 }, evaluated: true };
    const [first, second] = both;
    const best = { ...second, scores: { [c]: 1, [d]: 1, 4: 1, 5: 1 }, evaluated: true };
    const failed = { ...combination, problems: [{ kind: 'empty' as const, text: '' }] };
    const history = tuningHistory(settings, COUNTS, [weak, [first ?? {}, best], failed]);
    expect(reasonsToEnd(history, settings)).toContain('quality_met');
  });

  test('count once toward a plateau', () => {
    const patience = { convergence: { plateauIterations: 2, improvementThreshold: 0.01 } };
    const settings = tuningSettingsOf({ ...changes, ...patience, tune: { ...changes.tune, maxRepeats: 1 } });
    const weak = { ...none, scores: { ...none.scores, 4: 0.5, 5: 0.5 }, evaluated: true };
    const [first, second] = both;
    const same = { ...second, scores: { [c]: 1, [d]: 1, 4: 0.5, 5: 0.5 }, evaluated: true };
    const failed = { ...combination, scores: { 4: 0.5, 5: 0.5 }, evaluated: true };
    const once = tuningHistory(settings, COUNTS, [weak, [first ?? {}, same], failed]);
    expect(reasonsToEnd(once, settings)).not.toContain('plateau');
    const again = { ...same, round: 3 };
    const twice = tuningHistory(settings, COUNTS, [weak, [first ?? {}, same], failed, again]);
    expect(reasonsToEnd(twice, settings)).toContain('plateau');
  });

  test.each<{ name: string; more: Partial<ExperimentSettingsInput>; count: number }>([
    { name: 'as many as configured', more: {}, count: 2 },
    { name: 'one while the cost of a proposal is unknown', more: { budget: { maxCostUsd: 5 } }, count: 1 },
    { name: 'one if reviewers see each proposal', more: { callbacks: { pause: 'before_finish' } }, count: 1 },
    { name: 'no more than the remaining proposals', more: { maxIterations: 1 }, count: 1 },
    { name: 'no more than the call budget allows', more: { budget: { maxCalls: 8 } }, count: 1 },
    {
      name: 'no more than the limit of example scores allows',
      more: { tune: { ...changes.tune, maxTries: 9 } },
      count: 1,
    },
  ])('$name', ({ more, count }) => {
    const settings = tuningSettingsOf({ ...changes, ...more, tune: { ...changes.tune, ...more.tune } });
    const history = { ...tuningHistory(settings, COUNTS, [none]), calls: 7 };
    const step = stepOf({ settings, history });
    expect(step.type === 'propose' && step.proposals).toHaveLength(count);
  });
});

describe('reviewers', () => {
  test('review a proposal before it is scored if enabled, but never one that is held back', () => {
    const changes = { callbacks: { review: { revisions: true } } };
    const { settings, history } = scene([FAILING, { minibatch: [a, b] }], changes);
    expect(nextStep(history, settings, NOW)).toMatchObject({ type: 'wait', hook: 'onRevision', version: 1 });
    const seen = withDecisions(history, byPerson('continue', { hook: 'onRevision', version: 1 }));
    expect(nextStep(seen, settings, NOW)).toMatchObject({ type: 'try', parts: [{ version: 1 }], purpose: 'minibatch' });
    const heldBack = scene([FAILING, { minibatch: [a, b], problems: [{ kind: 'empty', text: '' }] }], changes);
    expect(nextStep(heldBack.history, settings, NOW)).toMatchObject({ type: 'proceed', version: 1 });
  });

  test.each<{ name: string; given: PromptGiven; pauses: boolean }>([
    {
      name: 'a validated prompt',
      given: { minibatch: [a, b], scores: { [a]: 1, 4: 0.5, 5: 0.5, [b]: 0 }, evaluated: true },
      pauses: true,
    },
    { name: 'a rejected prompt', given: { minibatch: [a, b], scores: { [a]: 0, [b]: 0 } }, pauses: true },
    {
      name: 'a prompt that is not fully scored',
      given: { minibatch: [a, b], scores: { [a]: 1, [b]: 0 } },
      pauses: false,
    },
  ])('are asked about a prompt once it is settled: $name', ({ given, pauses }) => {
    const { settings, history } = scene([FAILING, given], { callbacks: { pause: 'always' } });
    expect(nextStep(history, settings, NOW).type).toBe(pauses ? 'wait' : 'try');
  });

  test.each<{ name: string; order: Decision; parent: number }>([
    {
      name: 'revise selects the named version',
      order: byPerson('revise', { version: 1, guidance: 'Be brief.' }),
      parent: 1,
    },
    { name: 'revert selects an earlier version', order: byPerson('revert', { version: 0 }), parent: 0 },
    {
      name: 'revise of a held-back version selects its parent',
      order: byPerson('revise', { version: 2 }),
      parent: 1,
    },
  ])('choose the parent of the next proposal: $name', ({ order, parent }) => {
    const { settings, history } = scene([
      FAILING,
      { minibatch: [a, b], round: 0, scores: { [a]: 0, [b]: 0, [c]: 0, [d]: 0 } },
      { minibatch: [c, d], round: 1, parent: 1, problems: [{ kind: 'empty', text: '' }] },
    ]);
    const step = nextStep(withDecisions(history, order), settings, NOW);
    const next = minibatch(history, settings, 2, parent);
    if (step.type === 'propose') expect(step).toMatchObject({ proposals: [{ parent, round: 2, positions: next }] });
    else expect(step).toMatchObject({ type: 'try', parts: [{ version: parent }], purpose: 'minibatch' });
  });

  test('get a proposal on request even if nothing failed', () => {
    const { settings, history } = scene([{ ...ALL_RIGHT, scores: { ...ALL_RIGHT.scores, ...HELD_OUT } }]);
    const step = nextStep(withDecisions(history, byPerson('revise', { version: 0 })), settings, NOW);
    expect(step).toMatchObject({ type: 'propose', proposals: [{ parent: 0, round: 0, positions: [a, b] }] });
  });

  test('get another proposal when continuing past the quality, and one more at the cap', () => {
    const good = { scores: { 4: 1, 5: 1, [a]: 0, [b]: 0, ...HELD_OUT }, evaluated: true };
    for (const maxIterations of [0, 3]) {
      const { settings, history } = scene([good], { maxIterations });
      expect(nextStep(history, settings, NOW)).toMatchObject({ type: 'stop', ending: { reason: 'quality_met' } });
      expect(nextStep(withDecisions(history, byPerson('continue', { version: 0 })), settings, NOW)).toMatchObject({
        type: 'propose',
      });
    }
  });
});
