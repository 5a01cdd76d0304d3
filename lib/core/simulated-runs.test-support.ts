import fc from 'fast-check';
import { REVISION_STRATEGIES } from './revision/strategy.ts';
import { BEST_VERSION_RULES } from './setting-choices.ts';
import { type ExperimentSettings, PAUSE_RULES, settingsSchema } from './settings.ts';
import { type Script, type ScriptedVerdict, type SimulatedRun, simulateRun } from './simulate-run.test-support.ts';

const score = fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20);
const few = { maxLength: 6 };

/** Generates settings that affect the end of a run. */
export const settingsArbitrary: fc.Arbitrary<ExperimentSettings> = fc
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
    callbacks: fc.record({
      pause: fc.constantFrom(...PAUSE_RULES),
      escalate: fc.boolean(),
      review: fc.oneof(
        { weight: 2, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.record({ drafts: fc.boolean(), revisions: fc.boolean() }) },
      ),
    }),
    triggers: fc.record({ onError: fc.boolean(), onQualityDrop: fc.boolean() }),
    revision: fc.record({ strategy: fc.constantFrom(...REVISION_STRATEGIES) }),
    lessons: fc
      .record({
        write: fc.constantFrom('learn' as const, 'off' as const),
        reflectOnEnd: fc.boolean(),
        alwaysReflect: fc.boolean(),
      })
      .map((lessons) => ({ ...lessons, alwaysReflect: lessons.alwaysReflect && lessons.write !== 'off' })),
    budget: fc.record({
      maxCalls: fc.oneof(
        { weight: 5, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
      ),
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

/** Generates scripts with scores, failures and people's decisions. */
export const scriptArbitrary: fc.Arbitrary<Script> = fc.record({
  scores: fc.array(fc.oneof({ weight: 8, arbitrary: score }, { weight: 1, arbitrary: fc.constant(null) }), few),
  outputs: fc.array(fc.constantFrom('Rome', 'Rome.', 'the city of Rome', 'Oslo'), few),
  issues: fc.array(fc.array(fc.constantFrom('Vague', 'Too long'), { maxLength: 2 }), few),
  answers: fc.array(fc.constantFrom('rome', 'oslo', null), few),
  interruptedAt: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
  cutOffAt: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
  failAt: fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 2 }),
  verdicts: fc.array(
    fc.constantFrom<ScriptedVerdict>('continue', 'continue', 'revise', 'revert', 'auto', 'edit', 'accept', 'stop'),
    { maxLength: 8 },
  ),
  overrides: fc.dictionary(fc.constantFrom('0', '1', '2', '3'), score, { maxKeys: 2 }),
  isReflectionUnread: fc.boolean(),
  resumes: fc.integer({ min: 0, max: 3 }),
});

/** Checks a property for every simulated run. */
export function forEveryRun(
  check: (run: SimulatedRun, settings: ExperimentSettings, script: Script) => void,
  parameters: fc.Parameters<[ExperimentSettings, Script]> = { numRuns: 300 },
) {
  const property = fc.property(settingsArbitrary, scriptArbitrary, (settings, script) => {
    check(simulateRun(settings, script), settings, script);
  });
  fc.assert(property, parameters);
}
