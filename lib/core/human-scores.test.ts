import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { whatIf } from '#lib/what-if/what-if.ts';
import { listMissingScores } from './decisions.ts';
import { nextStep } from './next-step.ts';
import { scoredVersions } from './scored-versions.ts';
import { type ExperimentSettings, settingsSchema } from './settings.ts';
import { type Script, type SimulatedRun, simulateRun } from './simulate-run.test-support.ts';
import { scriptArbitrary, settingsArbitrary } from './simulated-runs.test-support.ts';
import { spendOfRun } from './spend.ts';

const NOW = new Date('2026-01-05T12:00:00.000Z');

/** The default settings with one or two human criteria. */
const withPeople: fc.Arbitrary<ExperimentSettings> = fc
  .tuple(settingsArbitrary, fc.integer({ min: 1, max: 2 }), fc.boolean())
  .map(([settings, people, alone]) => {
    const human = ['taste', 'fit'].slice(0, people).map((name) => ({ name, threshold: 0.5, evaluator: 'human' }));
    return settingsSchema.parse({ ...settings, criteria: alone ? human : [...settings.criteria, ...human] });
  });

const answers: fc.Arbitrary<Script> = fc
  .tuple(
    scriptArbitrary,
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20) },
        { weight: 1, arbitrary: fc.constantFrom('continue' as const, 'accept' as const, 'stop' as const) },
      ),
      { maxLength: 8 },
    ),
  )
  .map(([script, humanScores]) => ({ ...script, humanScores }));

function forEveryRun(check: (run: SimulatedRun, settings: ExperimentSettings, script: Script) => void, numRuns = 200) {
  fc.assert(
    fc.property(withPeople, answers, (settings, script) => check(simulateRun(settings, script), settings, script)),
    { numRuns },
  );
}

describe('a run with human criteria', () => {
  test('ends, also with its quality met, after requesting scores', () => {
    const seen = new Set<string>();
    let asked = 0;
    forEveryRun(({ ending, steps }) => {
      seen.add(ending.reason);
      asked += steps.filter((step) => step.type === 'wait' && step.asks.length > 0).length;
    }, 400);
    expect(seen).toContain('quality_met');
    expect(seen).toContain('max_iterations');
    expect(asked).toBeGreaterThan(0);
  });

  test('gives the same result when resumed after any step', () => {
    forEveryRun((whole, settings, script) => {
      for (const state of whole.states) {
        const rest = simulateRun(settings, script, JSON.parse(JSON.stringify(state)));
        expect(rest.ending).toEqual(whole.ending);
        expect(rest.history).toEqual(whole.history);
      }
    }, 60);
  });

  test('only waits while a score is missing, unless a person decides otherwise', () => {
    let waited = 0;
    forEveryRun(({ states }, settings) => {
      for (const state of states) {
        const last = state.versions.at(-1);
        if (last === undefined || state.failure !== null) continue;
        const asks = listMissingScores(state, settings, last.number);
        const isDecidedOtherwise = state.decisions.some(
          ({ decision, version, by }) =>
            by === 'person' &&
            version === last.number &&
            decision !== 'score' &&
            decision !== 'override' &&
            decision !== 'resume',
        );
        const isOrdered = state.decisions.some(({ decision }) => decision === 'accept' || decision === 'stop');
        if (asks.length === 0 || isDecidedOtherwise || isOrdered) continue;
        expect(nextStep(state, settings, NOW)).toMatchObject({ type: 'wait', version: last.number, asks });
        waited++;
      }
    });
    expect(waited).toBeGreaterThan(100);
  });

  test('counts only fully scored versions, and human scores cost nothing', () => {
    forEveryRun(({ history, states }, settings) => {
      for (const { evaluation } of scoredVersions(history)) {
        for (const { name } of settings.criteria) expect(evaluation.criteriaScores[name]).not.toBeNull();
      }
      for (const [position, state] of states.entries()) {
        const before = states[position - 1];
        const scored =
          before !== undefined &&
          state.decisions.length > before.decisions.length &&
          state.decisions.at(-1)?.decision === 'score';
        if (scored) expect(spendOfRun(state)).toEqual(spendOfRun(before));
      }
    });
  });

  test('what-if: same settings give the same ending', () => {
    forEveryRun(({ history, ending }, settings) => {
      const { endedAt: _endedAt, ...end } = ending;
      expect(whatIf(history, settings, settings, null).end).toEqual({ type: 'stops', ...end });
    });
  });

  test('what-if: a budget that prevented the mandatory reflection also prevents it in the replay', () => {
    const settings = settingsSchema.parse({
      mode: 'revise',
      generator: { provider: 'practice', model: 'practice-1' },
      criteria: [{ name: 'taste', threshold: 0.5, evaluator: 'human' }],
      callbacks: { pause: 'before_revision' },
      lessons: { alwaysReflect: true },
      budget: { maxCalls: 2 },
    });
    const none = { scores: [], outputs: [], issues: [], answers: [], verdicts: [] };
    const script = {
      ...none,
      interruptedAt: [],
      cutOffAt: [],
      failAt: [],
      overrides: {},
      resumes: 0,
      humanScores: [0],
    };
    const { history, ending } = simulateRun(settings, script);
    expect(ending.reason).toBe('call_budget');
    expect(whatIf(history, settings, settings, null).end).toMatchObject({ type: 'stops', reason: 'call_budget' });
  });

  test('what-if: every state gives the step that followed', () => {
    forEveryRun(({ states }, settings) => {
      for (const state of states) {
        const step = nextStep(state, settings, NOW);
        const ends = step.type === 'stop' || step.type === 'write_reflection';
        const type = ends ? 'stops' : step.type === 'wait' ? 'waits' : 'goes_on';
        expect(whatIf(state, settings, settings, null).end.type).toBe(type);
      }
    }, 100);
  });

  test('has an overall score exactly if all of its criteria have one', () => {
    forEveryRun(({ history }) => {
      for (const { status, overallScore, criteriaScores, satisfactory } of history.evaluations) {
        const isWhole = Object.values(criteriaScores).every((score) => score !== null);
        expect(overallScore !== null).toBe(isWhole);
        expect(status).toBe(isWhole ? 'scored' : 'partial');
        if (!isWhole) expect(satisfactory).toBe(false);
      }
    });
  });
});
