import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Critique, CritiqueTrigger, Failure, History } from './history.ts';
import { decided, decisionOf, historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';
import { nextStep } from './next-step.ts';
import type { ExperimentSettingsInput } from './settings.ts';
import { type Script, simulateRun } from './simulate-run.test-support.ts';
import { qualityDrop } from './stop-rules.ts';
import { NO_SPEND } from './token-usage.ts';

const NOW = new Date('2026-01-05T11:00:00.000Z');

function critiqueOf(trigger: CritiqueTrigger, version: number, step = 0): Critique {
  return { ...NO_SPEND, trigger, version, text: 'x', issues: [], suggestions: [], createdAt: '', step };
}

function failed(history: History, given: Partial<Failure> = {}): History {
  const failure: Failure = {
    ...NO_SPEND,
    kind: 'model_failed',
    cause: 'refused',
    role: 'generate',
    message: 'The model refused.',
    remedy: '',
    step: history.step,
    at: '',
    ...given,
  };
  return { ...history, failure };
}

function critiqued(history: History, ...critiques: Critique[]): History {
  return { ...history, critiques: [...history.critiques, ...critiques] };
}

/** Returns the step after the policy let the last version pass. */
function next(
  changes: Partial<ExperimentSettingsInput>,
  versions: VersionGiven[],
  act = (history: History) => history,
) {
  const settings = settingsOf({ convergence: null, ...changes });
  const history = act(historyOf(settings, versions));
  const last = versions.length - 1;
  return nextStep(decided(history, decisionOf('continue', { by: 'policy', version: last })), settings, NOW);
}

const DROP = { triggers: { onQualityDrop: true } };
const ERROR = { triggers: { onError: true } };

describe('reflection on a score drop', () => {
  const made = { type: 'critique', trigger: 'quality_drop' };
  test.each<[string, Partial<ExperimentSettingsInput>, VersionGiven[], object]>([
    ['a drop above the threshold', DROP, [0.6, 0.4], { ...made, version: 1 }],
    ['a drop equal to the threshold', DROP, [0.5, 0.4], { type: 'critique', trigger: 'completion', version: 1 }],
    ['no drop', DROP, [0.5, 0.6], { type: 'critique', trigger: 'completion', version: 1 }],
    ['turned off: the revision starts from the best version at once', {}, [0.6, 0.4], { type: 'revise', from: 0 }],
    [
      'a custom threshold',
      { triggers: { onQualityDrop: true, qualityDropThreshold: 0.3 } },
      [0.6, 0.4],
      { version: 1, trigger: 'completion' },
    ],
    [
      'a drop relative to the parent, not the version before',
      DROP,
      [0.6, 0.3, { score: 0.55, parent: 0 }],
      { version: 2, trigger: 'completion' },
    ],
    [
      'an attempt relative to the one before, after its lesson',
      { ...DROP, mode: 'retry' },
      [0.6, { score: 0.3, critiqued: true }],
      { ...made, version: 1 },
    ],
    [
      'an attempt whose lesson is not written yet',
      { ...DROP, mode: 'retry' },
      [0.6, 0.3],
      { type: 'write_lesson', version: 1 },
    ],
    [
      'an attempt without lessons',
      { ...DROP, mode: 'retry', lessons: { write: 'off' } },
      [0.6, 0.3],
      { ...made, version: 1 },
    ],
    ['an unscored version', DROP, [0.6, null], { type: 'evaluate', version: 1 }],
    [
      'no reflection at the cap, because nothing would use it',
      { ...DROP, maxIterations: 1 },
      [0.6, 0.3],
      { type: 'stop' },
    ],
  ])('%s', (_name, changes, versions, expected) => {
    expect(next(changes, versions)).toMatchObject(expected);
  });

  test('is made once, then the revision starts from the best version', () => {
    const after = next(DROP, [0.6, 0.4], (history) => critiqued(history, critiqueOf('quality_drop', 1)));
    expect(after).toEqual({ type: 'revise', from: 0, iteration: 2, regressed: { version: 1, drop: 0.2 } });
  });
});

describe('reflection on a failed call', () => {
  const made = { type: 'critique', trigger: 'error' };
  const down = (given: Partial<Failure>) => (history: History) => failed(history, given);
  test.each<[string, Partial<ExperimentSettingsInput>, VersionGiven[], (history: History) => History, object]>([
    ['a refused draft', ERROR, [], down({}), { ...made, version: 0 }],
    ['an empty attempt', { ...ERROR, mode: 'retry' }, [0.2], down({ cause: 'empty' }), { ...made, version: 1 }],
    ['an unreadable revision', ERROR, [0.2], down({ role: 'revise', cause: 'malformed' }), { ...made, version: 1 }],
    ['a rejected request', ERROR, [], down({ cause: 'bad_request' }), { ...made, version: 0 }],
    ['turned off', {}, [], down({}), { type: 'stop', ending: { reason: 'model_failed' } }],
    [
      'a call of the judge',
      ERROR,
      [{ judged: [] }],
      down({ role: 'evaluate' }),
      { type: 'stop', ending: { reason: 'model_failed' } },
    ],
    ['no reflection on an unavailable provider', ERROR, [], down({ cause: 'unavailable' }), { type: 'stop' }],
    ['no reflection on a wrong key', ERROR, [], down({ cause: 'unauthorized' }), { type: 'stop' }],
    [
      'a run that gave up',
      ERROR,
      [],
      down({ kind: 'internal_error', cause: null, role: null }),
      { type: 'stop', ending: { reason: 'internal_error' } },
    ],
    ['a failure stored without a cause', ERROR, [], down({ cause: null }), { type: 'stop' }],
    [
      'the same failure again after the reflection',
      ERROR,
      [],
      (history) => failed(critiqued(history, critiqueOf('error', 0))),
      { type: 'stop' },
    ],
    [
      'another failure of a later version',
      ERROR,
      [0.2],
      (history) => failed(critiqued(history, critiqueOf('error', 0))),
      { ...made, version: 1 },
    ],
    [
      'another failure after a person resumed the run',
      ERROR,
      [],
      (history) => failed(decided({ ...critiqued(history, critiqueOf('error', 0)), step: 1 }, decisionOf('resume'))),
      { ...made, version: 0 },
    ],
    [
      'a stopped run',
      ERROR,
      [],
      (history) => failed(decided(history, decisionOf('stop'))),
      { type: 'stop', ending: { reason: 'user_stopped' } },
    ],
    [
      'an exhausted budget',
      { ...ERROR, budget: { maxTokens: 1 } },
      [],
      (history) => failed({ ...history, lostSpend: { ...NO_SPEND, tokenUsage: { input: 1, output: 1, total: 2 } } }),
      { type: 'stop' },
    ],
  ])('%s', (_name, changes, versions, act, expected) => {
    expect(next(changes, versions, act)).toMatchObject(expected);
  });
});

describe('manual critiques', () => {
  test("replaces the loop's critique if it covers the version to be revised", () => {
    expect(next({}, [0.5], (history) => critiqued(history, critiqueOf('manual', 0)))).toMatchObject({
      type: 'revise',
      from: 0,
    });
  });

  test('does not if it covers another version', () => {
    const after = next({}, [0.5, 0.6], (history) => critiqued(history, critiqueOf('manual', 0)));
    expect(after).toEqual({ type: 'critique', version: 1, trigger: 'completion' });
  });
});

test('for any scores: one reflection per continued score drop, and otherwise the same versions', () => {
  const script = (scores: number[]): Script => ({
    scores,
    outputs: [],
    issues: [],
    answers: [],
    interruptedAt: [],
    cutOffAt: [],
    failAt: [],
    verdicts: [],
    overrides: {},
    resumes: 0,
  });
  const scores = fc.array(
    fc.integer({ min: 0, max: 15 }).map((score) => score / 20),
    { minLength: 1, maxLength: 7 },
  );
  fc.assert(
    fc.property(fc.constantFrom('revise' as const, 'retry' as const), scores, (mode, given) => {
      const plain = settingsOf({ mode, maxIterations: 5, maxAttempts: 6 });
      const watchful = settingsOf({ mode, maxIterations: 5, maxAttempts: 6, ...DROP });
      const run = simulateRun(watchful, script(given));
      const { history } = run;
      const last = history.versions.length - 1;
      const fallen = history.versions.filter(
        (version) => version.number < last && qualityDrop(history, watchful, version) !== null,
      );
      const reflected = history.critiques.filter(({ trigger }) => trigger === 'quality_drop');
      expect(reflected.map(({ version }) => version)).toEqual(fallen.map(({ number }) => number));
      const without = simulateRun(plain, script(given)).history;
      expect(history.versions.map(({ parents, origin }) => ({ parents, origin }))).toEqual(
        without.versions.map(({ parents, origin }) => ({ parents, origin })),
      );
    }),
    { numRuns: 300 },
  );
});
