import { z } from 'zod';
import { showValue } from './show-value.ts';

/** A finite number from `min` to `max`; anything else is refused with the value and the range. */
function numberBetween(min: number, max: number, kind: 'number' | 'whole number' = 'number') {
  const error = (issue: { input?: unknown }) =>
    `must be a ${kind} from ${inFull(min)} to ${inFull(max)}, got ${showValue(issue.input)}`;
  const fits = (value: number) => value >= min && value <= max && (kind === 'number' || Number.isInteger(value));
  // The range is told in the API's description too.
  return z
    .number({ error })
    .refine(fits, { error })
    .meta({ minimum: min, maximum: max, ...(kind === 'whole number' && { type: 'integer' }) });
}

function integerBetween(min: number, max: number) {
  return numberBetween(min, max, 'whole number');
}

function inFull(bound: number): string {
  return bound.toLocaleString('en-US', { maximumFractionDigits: 20 });
}

/** One of a few words; anything else is refused with the value and the words. */
function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: (issue) => `must be one of ${values.join(', ')}, got ${showValue(issue.input)}` });
}

/** The one value a setting can have for now; anything else is refused with the value and why. */
function only<const Value extends string | boolean>(value: Value, why: string) {
  return z.literal(value, {
    error: (issue) => `must be ${JSON.stringify(value)} (${why}), got ${showValue(issue.input)}`,
  });
}

/** A short stored name: 1 to 120 characters once trimmed. */
export const nameSchema = z
  .string({ error: (issue) => `must be a text of 1 to 120 characters, got ${showValue(issue.input)}` })
  .trim()
  .min(1, { error: 'must not be empty (1 to 120 characters)' })
  .max(120, { error: 'must be at most 120 characters' });

const promptTextSchema = z.string().max(50_000, { error: 'must be at most 50,000 characters' });

/** Which model answers: the name of a provider and the provider's own name of the model. */
export const modelReferenceSchema = z.strictObject({
  provider: nameSchema,
  model: z.string().trim().min(1, { error: 'must name a model' }).max(200, { error: 'must be at most 200 characters' }),
});
export type ModelReference = z.infer<typeof modelReferenceSchema>;

const criterionShared = {
  name: nameSchema,
  description: z.string().max(2_000, { error: 'must be at most 2,000 characters' }).default(''),
  weight: numberBetween(0, 100).default(1),
  threshold: numberBetween(0, 1).default(0.7),
};

/** How the `reference` evaluator makes two answers comparable before it matches them. */
export const normalizationSchema = oneOf(['none', 'trim', 'lower', 'squad']);

const patternSchema = z
  .string({ error: (issue) => `must be a pattern of 1 to 2,000 characters, got ${showValue(issue.input)}` })
  .min(1, { error: 'must be a pattern of 1 to 2,000 characters' })
  .max(2_000, { error: 'must be a pattern of 1 to 2,000 characters' });

/** One criterion of an experiment. What `config` holds depends on the evaluator. */
export const criterionSchema = z.discriminatedUnion(
  'evaluator',
  [
    z.strictObject({
      ...criterionShared,
      evaluator: z.literal('llm'),
      config: z.strictObject({ rubric: promptTextSchema.optional() }).default({}),
    }),
    z.strictObject({
      ...criterionShared,
      evaluator: z.literal('regex'),
      config: z
        .strictObject({
          pattern: patternSchema,
          flags: z
            .string()
            .regex(/^[ims]*$/, { error: 'may hold i (any case), m (lines), s (dot matches line ends)' })
            .optional(),
          mustMatch: z.boolean().default(true),
          min: integerBetween(0, 1_000_000).optional(),
          max: integerBetween(0, 1_000_000).optional(),
        })
        .refine((config) => config.min === undefined || config.max === undefined || config.min <= config.max, {
          path: ['min'],
          error: 'must not be above max',
        }),
    }),
    z.strictObject({
      ...criterionShared,
      evaluator: z.literal('reference'),
      config: z
        .strictObject({
          match: oneOf(['exact', 'contains', 'numeric']),
          normalize: normalizationSchema.optional(),
          extract: patternSchema.optional(),
          tolerance: numberBetween(0, 1e12).optional(),
        })
        .refine((config) => config.tolerance === undefined || config.match === 'numeric', {
          path: ['tolerance'],
          error: 'is only used with match "numeric"',
        }),
    }),
  ],
  { error: (issue) => evaluatorMessage(issue.input) },
);
export type Criterion = z.infer<typeof criterionSchema>;
export type EvaluatorKind = Criterion['evaluator'];
/** The criteria of one evaluator kind. */
export type CriterionOf<Kind extends EvaluatorKind> = Extract<Criterion, { evaluator: Kind }>;

function evaluatorMessage(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return `must be an object, got ${showValue(input)}`;
  return `must be one of llm, regex, reference, got ${showValue('evaluator' in input ? input.evaluator : undefined)}`;
}

export const MODES = ['revise', 'retry'] as const;
export const TASK_TYPES = ['code', 'writing', 'analysis', 'reasoning', 'custom'] as const;
export const BEST_VERSION_RULES = ['highest_score', 'latest', 'first_satisfactory', 'weighted_recency'] as const;
export const PAUSE_RULES = ['never', 'before_revision', 'on_quality_drop', 'before_finish', 'always'] as const;

const convergenceSchema = z.strictObject({
  plateauIterations: integerBetween(1, 10).default(2),
  improvementThreshold: numberBetween(0, 1).default(0.05),
  detectOscillation: z.boolean().default(true),
  detectStability: z.boolean().default(true),
});

/**
 * The settings of an experiment, as the form and the API send them; missing ones take their default.
 * Scores and thresholds run from 0 to 1. Unknown keys are refused.
 * Source: the agent pattern requirements for Reflection (2.2 to 2.7) and Reflexion (Shinn et al. 2023).
 */
export const settingsSchema = z.strictObject({
  mode: oneOf(MODES),
  taskType: oneOf(TASK_TYPES).default('custom'),
  generator: z.strictObject({
    provider: nameSchema,
    model: modelReferenceSchema.shape.model,
    instructions: promptTextSchema.default(''),
    temperature: numberBetween(0, 2).nullable().default(0),
    base: z.strictObject({ type: only('single', 'the only base so far') }).default({ type: 'single' }),
  }),
  reflectionModel: modelReferenceSchema.nullable().default(null),
  evaluatorModel: modelReferenceSchema.nullable().default(null),
  prompts: z
    .strictObject({
      generate: promptTextSchema.nullable().default(null),
      evaluate: promptTextSchema.nullable().default(null),
      reflect: promptTextSchema.nullable().default(null),
      revise: promptTextSchema.nullable().default(null),
      lesson: promptTextSchema.nullable().default(null),
    })
    .prefault({}),
  criteria: z
    .array(criterionSchema, {
      error: 'must be a list of at least one criterion: without an evaluator a loop does nothing useful',
    })
    .min(1, { error: 'must hold at least one criterion: without an evaluator a loop does nothing useful' })
    .max(50, { error: 'must hold at most 50 criteria' })
    .refine((criteria) => new Set(criteria.map((criterion) => criterion.name)).size === criteria.length, {
      error: 'must not name two criteria alike',
    })
    .refine((criteria) => criteria.reduce((sum, criterion) => sum + criterion.weight, 0) > 0, {
      error: 'must have weights whose sum is above 0',
    }),
  qualityThreshold: numberBetween(0, 1).default(0.8),
  maxIterations: integerBetween(0, 50).default(3),
  maxAttempts: integerBetween(1, 50).default(3),
  structuredReflection: z.boolean().default(true),
  preserveAllVersions: only(true, 'every version is kept').default(true),
  triggers: z
    .strictObject({
      stepInterval: z
        .null({ error: (issue) => `must be null (a single call has no steps), got ${showValue(issue.input)}` })
        .default(null),
      onError: only(false, 'a single call has no failed steps').default(false),
      onTools: z
        .array(
          z.never({
            error: (issue) => `must be left out (a single call uses no tools), got ${showValue(issue.input)}`,
          }),
        )
        .default([]),
      onQualityDrop: only(false, 'there is no such reflection yet').default(false),
      qualityDropThreshold: numberBetween(0, 1).default(0.1),
    })
    .prefault({}),
  revision: z
    .strictObject({
      strategy: only('full_rewrite', 'the only strategy so far').default('full_rewrite'),
      includePriorVersions: z.boolean().default(false),
      includeReflectionHistory: z.boolean().default(true),
      maxTokens: integerBetween(1, 1_000_000).nullable().default(null),
    })
    .prefault({}),
  convergence: convergenceSchema.nullable().prefault({}),
  bestVersion: oneOf(BEST_VERSION_RULES).default('highest_score'),
  lessons: z
    .strictObject({
      store: only('block', 'the only store so far').default('block'),
      block: nameSchema.default('reflexion_lessons'),
      write: oneOf(['learn', 'off']).default('learn'),
      agent: nameSchema.default('default'),
    })
    .prefault({}),
  callbacks: z
    .strictObject({
      pause: oneOf(PAUSE_RULES).default('never'),
    })
    .prefault({}),
  budget: z
    .strictObject({
      maxTokens: integerBetween(1, 1_000_000_000).nullable().default(null),
      maxCostUsd: numberBetween(0.000001, 1_000_000).nullable().default(null),
      maxSeconds: numberBetween(1, 31_536_000).nullable().default(null),
    })
    .prefault({}),
});
export type ExperimentSettings = z.infer<typeof settingsSchema>;
/** What may be sent: every setting with a default may be left out. */
export type ExperimentSettingsInput = z.input<typeof settingsSchema>;

/** The model of a role: the generator's where the experiment names no other. */
export function modelFor(settings: ExperimentSettings, role: ModelRole): ModelReference {
  const generator = { provider: settings.generator.provider, model: settings.generator.model };
  switch (role) {
    case 'evaluate':
      return settings.evaluatorModel ?? generator;
    case 'reflect':
    case 'lesson':
      return settings.reflectionModel ?? generator;
    case 'generate':
    case 'revise':
      return generator;
  }
}

export const MODEL_ROLES = ['generate', 'evaluate', 'reflect', 'revise', 'lesson'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];
