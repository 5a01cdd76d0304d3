import { z } from 'zod';

/** A finite number from `min` to `max`; anything else is refused with the value and the range. */
function numberBetween(min: number, max: number) {
  const inRange = (value: number) => value >= min && value <= max;
  // The range is told in the API's description too.
  return z
    .number({ error: (issue) => rangeMessage(issue.input, min, max) })
    .refine(inRange, { error: (issue) => rangeMessage(issue.input, min, max) })
    .meta({ minimum: min, maximum: max });
}

function integerBetween(min: number, max: number) {
  return numberBetween(min, max)
    .refine(Number.isInteger, { error: (issue) => `must be a whole number from ${min} to ${max}, got ${shown(issue.input)}` })
    .meta({ type: 'integer' });
}

function rangeMessage(input: unknown, min: number, max: number): string {
  return `must be a number from ${min} to ${max}, got ${shown(input)}`;
}

function shown(input: unknown): string {
  return input === undefined ? 'nothing' : (JSON.stringify(input) ?? String(input)).slice(0, 80);
}

/** A short stored name: 1 to 120 characters once trimmed. */
export const nameSchema = z
  .string({ error: (issue) => `must be a text of 1 to 120 characters, got ${shown(issue.input)}` })
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
export const normalizationSchema = z.enum(['none', 'trim', 'lower', 'squad']);

const patternSchema = z.string().min(1, { error: 'must be a pattern of 1 to 2,000 characters' }).max(2_000, { error: 'must be a pattern of 1 to 2,000 characters' });

/** One criterion of an experiment. What `config` holds depends on the evaluator. */
export const criterionSchema = z.discriminatedUnion(
  'evaluator',
  [
    z.strictObject({ ...criterionShared, evaluator: z.literal('llm'), config: z.strictObject({ rubric: promptTextSchema.optional() }).default({}) }),
    z.strictObject({
      ...criterionShared,
      evaluator: z.literal('regex'),
      config: z
        .strictObject({
          pattern: patternSchema,
          flags: z.string().regex(/^[ims]*$/, { error: 'may hold i (any case), m (lines), s (dot matches line ends)' }).optional(),
          mustMatch: z.boolean().default(true),
          min: integerBetween(0, 1_000_000).optional(),
          max: integerBetween(0, 1_000_000).optional(),
        })
        .refine((config) => config.min === undefined || config.max === undefined || config.min <= config.max, { path: ['min'], error: 'must not be above max' }),
    }),
    z.strictObject({
      ...criterionShared,
      evaluator: z.literal('reference'),
      config: z
        .strictObject({
          match: z.enum(['exact', 'contains', 'numeric']),
          normalize: normalizationSchema.optional(),
          extract: patternSchema.optional(),
          tolerance: numberBetween(0, 1e12).optional(),
        })
        .refine((config) => config.tolerance === undefined || config.match === 'numeric', { path: ['tolerance'], error: 'is only used with match "numeric"' }),
    }),
  ],
  { error: (issue) => evaluatorMessage(issue.input) },
);
export type Criterion = z.infer<typeof criterionSchema>;
export type EvaluatorKind = Criterion['evaluator'];
/** The criteria of one evaluator kind. */
export type CriterionOf<Kind extends EvaluatorKind> = Extract<Criterion, { evaluator: Kind }>;

function evaluatorMessage(input: unknown): string {
  const given = typeof input === 'object' && input !== null && 'evaluator' in input ? input.evaluator : undefined;
  return `evaluator must be one of llm, regex, reference, got ${shown(given)}`;
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
export const settingsSchema = z
  .strictObject({
    mode: z.enum(MODES, { error: (issue) => `must be one of ${MODES.join(', ')}, got ${shown(issue.input)}` }),
    taskType: z.enum(TASK_TYPES).default('custom'),
    generator: z.strictObject({
      provider: nameSchema,
      model: modelReferenceSchema.shape.model,
      instructions: promptTextSchema.default(''),
      temperature: numberBetween(0, 2).nullable().default(0),
      base: z.strictObject({ type: z.literal('single', { error: 'must be "single"' }) }).default({ type: 'single' }),
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
      .array(criterionSchema, { error: 'must be a list of at least one criterion: without an evaluator a loop does nothing useful' })
      .min(1, { error: 'must hold at least one criterion: without an evaluator a loop does nothing useful' })
      .max(50, { error: 'must hold at most 50 criteria' })
      .refine((criteria) => new Set(criteria.map((criterion) => criterion.name)).size === criteria.length, { error: 'must not name two criteria alike' })
      .refine((criteria) => criteria.reduce((sum, criterion) => sum + criterion.weight, 0) > 0, { error: 'must have weights whose sum is above 0' }),
    qualityThreshold: numberBetween(0, 1).default(0.8),
    maxIterations: integerBetween(0, 50).default(3),
    maxAttempts: integerBetween(1, 50).default(3),
    structuredReflection: z.boolean().default(true),
    preserveAllVersions: z.literal(true, { error: 'must be true: every version is kept' }).default(true),
    triggers: z
      .strictObject({
        stepInterval: z.null({ error: 'must be null: a single call has no steps' }).default(null),
        onError: z.literal(false, { error: 'must be false' }).default(false),
        onTools: z.array(z.never({ error: 'must be empty: a single call uses no tools' })).default([]),
        onQualityDrop: z.literal(false, { error: 'must be false' }).default(false),
        qualityDropThreshold: numberBetween(0, 1).default(0.1),
      })
      .prefault({}),
    revision: z
      .strictObject({
        strategy: z.enum(['full_rewrite'], { error: (issue) => `must be full_rewrite, got ${shown(issue.input)}` }).default('full_rewrite'),
        includePriorVersions: z.boolean().default(false),
        includeReflectionHistory: z.boolean().default(true),
        maxTokens: integerBetween(1, 1_000_000).nullable().default(null),
      })
      .prefault({}),
    convergence: convergenceSchema.nullable().prefault({}),
    bestVersion: z.enum(BEST_VERSION_RULES, { error: (issue) => `must be one of ${BEST_VERSION_RULES.join(', ')}, got ${shown(issue.input)}` }).default('highest_score'),
    lessons: z
      .strictObject({
        store: z.literal('block', { error: 'must be "block"' }).default('block'),
        block: nameSchema.default('reflexion_lessons'),
        write: z.enum(['learn', 'off'], { error: 'must be "learn" or "off"' }).default('learn'),
        agent: nameSchema.default('default'),
      })
      .prefault({}),
    callbacks: z
      .strictObject({
        pause: z.enum(PAUSE_RULES, { error: (issue) => `must be one of ${PAUSE_RULES.join(', ')}, got ${shown(issue.input)}` }).default('never'),
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
