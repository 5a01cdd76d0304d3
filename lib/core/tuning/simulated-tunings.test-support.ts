import fc from 'fast-check';
import {
  ACCEPTANCE_RULES,
  CANDIDATE_SELECTIONS,
  type ExperimentSettings,
  type ExperimentSettingsInput,
  MINIBATCH_RULES,
  PAUSE_RULES,
  settingsSchema,
  TUNING_STRATEGIES,
} from '../settings.ts';
import {
  GIVEN_PROMPT,
  type SimulatedTuning,
  simulateTuning,
  type TuningScript,
  type TuningVerdict,
} from '../simulate-tuning.test-support.ts';

/** Returns settings of a tuning run with one judged criterion. */
export function tuningSettingsOf(changes: Partial<ExperimentSettingsInput> = {}): ExperimentSettings {
  return settingsSchema.parse({
    mode: 'tune',
    generator: { provider: 'practice', model: 'practice-1' },
    prompts: { generate: GIVEN_PROMPT },
    criteria: [{ name: 'right', threshold: 0, evaluator: 'llm' }],
    ...changes,
    tune: { proposalsAtOnce: 1, weightKey: 'weight', ...changes.tune },
  });
}

function orNone<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, arbitrary);
}

/** Generates settings that affect a tuning run. */
const tuningSettingsArbitrary: fc.Arbitrary<ExperimentSettings> = fc
  .record({
    qualityThreshold: fc.constantFrom(0.5, 0.7, 0.9, 1),
    maxIterations: fc.integer({ min: 0, max: 8 }),
    convergence: fc.option(fc.record({ plateauIterations: fc.integer({ min: 1, max: 3 }) })),
    tune: fc.record({
      minibatchSize: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.constant(24)),
      selection: fc.constantFrom(...CANDIDATE_SELECTIONS),
      minibatches: fc.constantFrom(...MINIBATCH_RULES),
      acceptance: fc.constantFrom(...ACCEPTANCE_RULES),
      maxRepeats: fc.constantFrom(1, 2),
      validationShare: fc.constantFrom(0, 0.4),
      heldOutShare: fc.constantFrom(0, 0.25),
      maxPromptTokens: fc.constant(60),
      references: fc.boolean(),
      proposalsAtOnce: fc.constantFrom(1, 2, 4, 4),
      maxTries: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.integer({ min: 4, max: 40 })),
      seed: fc.integer({ min: 0, max: 5 }),
    }),
    callbacks: fc.record({
      pause: fc.oneof({ weight: 5, arbitrary: fc.constant('never' as const) }, fc.constantFrom(...PAUSE_RULES)),
      review: fc.record({ revisions: fc.constantFrom(false, false, true) }),
    }),
    budget: fc.record({
      maxCalls: orNone(fc.integer({ min: 1, max: 150 })),
      maxTokens: orNone(fc.integer({ min: 1, max: 2_500 })),
      maxCostUsd: orNone(fc.integer({ min: 1, max: 2_000 }).map((thousandths) => thousandths / 1_000)),
      maxSeconds: orNone(fc.integer({ min: 1, max: 2 })),
    }),
  })
  .map(tuningSettingsOf);

/** Generates scripts with scores, failures and people's decisions. */
const tuningScriptArbitrary: fc.Arbitrary<TuningScript> = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  heldOutSeed: fc.integer({ min: 0, max: 1_000_000 }),
  caseCount: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 14 }) }, fc.constant(60)),
  unreadable: fc.constantFrom(0, 0, 0.05, 0.3),
  luck: fc.constantFrom(0, 0, 0.3, 0.7, 1),
  anchors: fc.constantFrom(0, 0, 1, 3),
  weights: fc.constantFrom('none' as const, 'none' as const, 'mixed' as const),
  isNoisy: fc.boolean(),
  failAt: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 2 }),
  verdicts: fc.array(
    fc.constantFrom<TuningVerdict>('continue', 'continue', 'revise', 'revert', 'auto', 'edit', 'accept', 'stop'),
    { maxLength: 8 },
  ),
  resumes: fc.integer({ min: 0, max: 2 }),
});

/** Seeded so that the runs cover every stop reason. Each run is performed once and shared by all checks. */
const SIMULATED = { numRuns: 1_000, seed: 12 };
type Simulated = { run: SimulatedTuning; settings: ExperimentSettings; script: TuningScript };
let drawn: [ExperimentSettings, TuningScript][] | null = null;
const performed: Promise<Simulated>[] = [];

async function perform([given, script]: [ExperimentSettings, TuningScript], at: number): Promise<Simulated> {
  const settings = withParameters(withStrategy(given, at), at);
  return { run: await simulateTuning(settings, script), settings, script };
}

/** Two of three runs also search parameters. */
function withParameters(settings: ExperimentSettings, at: number): ExperimentSettings {
  const temperatures = [[], [0.2, 0.9], [0.5]][at % 3] ?? [];
  const models = at % 3 === 1 ? [{ provider: 'practice', model: 'practice-2' }] : [];
  return { ...settings, tune: { ...settings.tune, parameters: { models, temperatures } } };
}

/**
 * Half of the runs use gepa, the others each strategy in turn. A portfolio has more proposals and less patience, to reach its last
 * strategy.
 */
function withStrategy(settings: ExperimentSettings, at: number): ExperimentSettings {
  const strategy = (at % 2 === 1 && TUNING_STRATEGIES[1 + (((at - 1) / 2) % (TUNING_STRATEGIES.length - 1))]) || 'gepa';
  const tune = { ...settings.tune, strategy };
  if (strategy !== 'portfolio') return { ...settings, tune };
  const convergence = settings.convergence && { ...settings.convergence, plateauIterations: 1 };
  return { ...settings, tune, convergence, maxIterations: 4 * settings.maxIterations };
}

/** Checks a property for every simulated tuning run, or for the first `most`. A failure is reported with its settings and script. */
export async function forEveryTuning(
  check: (run: SimulatedTuning, settings: ExperimentSettings, script: TuningScript) => void | Promise<void>,
  most = SIMULATED.numRuns,
) {
  drawn ??= fc.sample(fc.tuple(tuningSettingsArbitrary, tuningScriptArbitrary), SIMULATED);
  for (const [at, one] of drawn.slice(0, most).entries()) {
    performed[at] ??= perform(one, at);
    const { run, settings, script } = await performed[at];
    try {
      await check(run, settings, script);
    } catch (cause) {
      throw new Error(`with ${JSON.stringify({ settings, script })}`, { cause });
    }
  }
}
