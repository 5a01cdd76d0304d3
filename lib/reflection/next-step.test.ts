import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestVersion } from './best-version.ts';
import { type History, STOP_REASONS } from './history.ts';
import { nextStep } from './next-step.ts';
import { scoredVersions } from './scored-versions.ts';
import { BEST_VERSION_RULES, type ExperimentSettings, PAUSE_RULES, settingsSchema } from './settings.ts';
import {
  firstState,
  machineMade,
  mostVersions,
  type Script,
  type SimulatedRun,
  simulateRun,
} from './simulate-run.test-support.ts';
import { spendOfRun } from './spend.ts';

const score = fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20);
const few = { maxLength: 6 };

const settingsArbitrary: fc.Arbitrary<ExperimentSettings> = fc
  .record({
    mode: fc.constantFrom('revise' as const, 'retry' as const),
    qualityThreshold: fc.constantFrom(0.5, 0.8, 0.95, 1),
    maxIterations: fc.integer({ min: 0, max: 6 }),
    maxAttempts: fc.integer({ min: 1, max: 6 }),
    convergence: fc.option(
      fc.record({
        plateauIterations: fc.integer({ min: 1, max: 4 }),
        improvementThreshold: fc.constantFrom(0, 0.05, 0.3),
        detectOscillation: fc.boolean(),
        detectStability: fc.boolean(),
      }),
    ),
    bestVersion: fc.constantFrom(...BEST_VERSION_RULES),
    callbacks: fc.record({ pause: fc.constantFrom(...PAUSE_RULES) }),
    lessons: fc.record({ write: fc.constantFrom('learn' as const, 'off' as const) }),
    budget: fc.record({
      maxTokens: fc.option(fc.integer({ min: 1, max: 1_500 }), { freq: 2 }),
      maxCostUsd: fc.option(
        fc.integer({ min: 1, max: 400 }).map((thousandths) => thousandths / 1_000),
        { freq: 2 },
      ),
      maxSeconds: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 2 }),
    }),
    criteria: fc
      .uniqueArray(fc.constantFrom('clear', 'right', 'short'), { minLength: 1, maxLength: 3 })
      .map((names) => names.map((name) => ({ name, threshold: 0.5, evaluator: 'llm' as const }))),
  })
  .map((given) => settingsSchema.parse({ generator: { provider: 'practice', model: 'practice-1' }, ...given }));

const scriptArbitrary: fc.Arbitrary<Script> = fc.record({
  scores: fc.array(fc.oneof({ weight: 8, arbitrary: score }, { weight: 1, arbitrary: fc.constant(null) }), few),
  outputs: fc.array(fc.constantFrom('Rome', 'Rome.', 'the city of Rome', 'Oslo'), few),
  issues: fc.array(fc.array(fc.constantFrom('Vague', 'Too long'), { maxLength: 2 }), few),
  answers: fc.array(fc.constantFrom('rome', 'oslo', null), few),
  interruptedAt: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
  failAt: fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 2 }),
  verdicts: fc.array(
    fc.constantFrom('continue' as const, 'continue' as const, 'continue' as const, 'accept' as const, 'stop' as const),
    { maxLength: 8 },
  ),
  overrides: fc.dictionary(fc.constantFrom('0', '1', '2', '3'), score, { maxKeys: 2 }),
  resumes: fc.integer({ min: 0, max: 3 }),
});

function forEveryRun(
  check: (run: SimulatedRun, settings: ExperimentSettings, script: Script) => void,
  parameters: fc.Parameters<[ExperimentSettings, Script]> = { numRuns: 300 },
) {
  const property = fc.property(settingsArbitrary, scriptArbitrary, (settings, script) => {
    check(simulateRun(settings, script), settings, script);
  });
  fc.assert(property, parameters);
}

const NOW = new Date('2026-01-05T12:00:00.000Z');

/** A history as it comes back from where it was kept. */
function kept(history: History): History {
  return JSON.parse(JSON.stringify(history));
}

describe('every simulated run', () => {
  test('ends, whatever scores, failures, people and budgets do', () => {
    const seen = new Set<string>();
    forEveryRun(
      ({ ending }) => {
        seen.add(ending.reason);
      },
      { numRuns: 1_500, seed: 7 },
    );
    // Seeded: the simulation is worth something only if it comes to every end but the one that only the shell gives.
    expect([...STOP_REASONS].filter((reason) => !seen.has(reason))).toEqual(['internal_error']);
  });

  test('never has more machine-made versions than the cap and what people granted', () => {
    let atTheCap = 0;
    forEveryRun(({ history, ending }, settings) => {
      expect(machineMade(history)).toBeLessThanOrEqual(mostVersions(history, settings));
      if (ending.reason === 'max_iterations') atTheCap++;
    });
    expect(atTheCap).toBeGreaterThan(0);
  });

  test('without people stays within the cap alone', () => {
    fc.assert(
      fc.property(settingsArbitrary, scriptArbitrary, (settings, script) => {
        const alone = { ...settings, callbacks: { pause: 'never' as const } };
        const { history } = simulateRun(alone, { ...script, overrides: {}, resumes: 0 });
        expect(machineMade(history)).toBeLessThanOrEqual(
          settings.mode === 'retry' ? settings.maxAttempts : 1 + settings.maxIterations,
        );
      }),
    );
  });

  test('taken up again after any step comes out as the whole run', () => {
    forEveryRun(
      (whole, settings, script) => {
        for (const state of whole.states) {
          const rest = simulateRun(settings, script, kept(state));
          expect(rest.ending).toEqual(whole.ending);
          expect(rest.history).toEqual(whole.history);
        }
      },
      { numRuns: 100 },
    );
  });

  test('gets the same step for the same history, which stays as it was', () => {
    forEveryRun(
      ({ states }, settings) => {
        for (const state of states) {
          const before = JSON.stringify(state);
          const frozen = deepFreeze(kept(state));
          expect(nextStep(frozen, settings, NOW)).toEqual(nextStep(state, settings, NOW));
          expect(JSON.stringify(state)).toBe(before);
        }
      },
      { numRuns: 100 },
    );
  });

  test('names its reasons once each, in the order of the table', () => {
    let several = 0;
    forEveryRun(({ ending }) => {
      const places = [ending.reason, ...ending.alsoHeld].map((reason) => STOP_REASONS.indexOf(reason));
      expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
      if (places.length > 1) several++;
    });
    expect(several).toBeGreaterThan(0);
  });

  test('has a best version exactly when one is scored, by every rule, and among the scored ones', () => {
    forEveryRun(
      ({ states, ending, history }, settings) => {
        for (const state of states) {
          const scored = scoredVersions(state).map(({ version }) => version.number);
          for (const rule of BEST_VERSION_RULES) {
            const best = bestVersion(state, rule);
            if (best === null) expect(scored).toEqual([]);
            else expect(scored).toContain(best);
          }
        }
        expect(ending.bestVersion).toBe(bestVersion(history, settings.bestVersion));
      },
      { numRuns: 100 },
    );
  });

  test('judges every version that was not cut off, unless it was broken off there', () => {
    forEveryRun(({ history, ending }) => {
      const unjudged = history.versions.filter(
        ({ number, interrupted }) => !interrupted && !history.evaluations.some(({ version }) => version === number),
      );
      const brokenOff =
        ending.reason === 'model_failed' &&
        unjudged.length === 1 &&
        unjudged[0]?.number === history.versions.at(-1)?.number;
      if (!brokenOff) expect(unjudged).toEqual([]);
    });
  });

  test('is a success exactly when its quality was met or a person accepted it', () => {
    forEveryRun(({ ending, history }, settings) => {
      expect(ending.success).toBe(ending.reason === 'quality_met' || ending.reason === 'user_accepted');
      const last = scoredVersions(history).at(-1);
      if (ending.reason === 'quality_met') expect(last?.score).toBeGreaterThanOrEqual(settings.qualityThreshold);
    });
  });

  test('counts every token it paid for', () => {
    forEveryRun(({ history, states, steps }) => {
      const spent = states.map((state) => spendOfRun(state).tokenUsage.total);
      expect([...spent].sort((one, other) => one - other)).toEqual(spent);
      const paying = steps.filter(({ type }) => !['proceed', 'wait', 'stop'].includes(type)).length;
      const sums = spendOfRun(history).tokenUsage;
      expect(sums.output).toBe(paying);
      expect(sums.total).toBe(sums.input + sums.output);
    });
  });

  test('within a token budget passes it at most by what a call came out dearer than its estimate', () => {
    forEveryRun(({ history }, settings, script) => {
      const { maxTokens } = settings.budget;
      if (maxTokens === null || history.versions.length === 0 || script.failAt.length > 0) return;
      // Calls cost 11 to 17 tokens: a version and its evaluation may each come out 6 dearer than the mean before.
      expect(spendOfRun(history).tokenUsage.total).toBeLessThanOrEqual(Math.max(maxTokens, 34) + 12);
    });
  });
});

test('a first state is where every run begins', () => {
  expect(
    simulateRun(
      settingsSchema.parse({
        mode: 'revise',
        maxIterations: 0,
        generator: { provider: 'p', model: 'm' },
        criteria: [{ name: 'a', evaluator: 'llm' }],
      }),
      NOTHING_SPECIAL,
    ).states[0],
  ).toEqual(firstState());
});

const NOTHING_SPECIAL: Script = {
  scores: [],
  outputs: [],
  issues: [],
  answers: [],
  interruptedAt: [],
  failAt: [],
  verdicts: [],
  overrides: {},
  resumes: 0,
};

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
