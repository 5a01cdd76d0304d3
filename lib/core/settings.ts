import { z } from 'zod';
import { baseProblems, baseSchema, toolsSchema } from '#lib/core/agents/base-settings.ts';
import { budgetSchema } from './budget-settings.ts';
import { type Criterion, criterionSchema, defaultCriteria } from './criterion.ts';
import { evaluationSettingsSchema } from './evaluation-settings.ts';
import { TASK_TYPES, taskTypeSchema } from './lesson-schema.ts';
import { REVISION_STRATEGIES } from './revision/strategy.ts';
import { integerBetween, nameSchema, numberBetween, oneOf, promptTextSchema } from './setting-parts.ts';
import { showValue, visibleName } from './text-values.ts';

export { TASK_TYPES };

/** Which model answers: the name of a provider and the provider's own name of the model. */
export const modelReferenceSchema = z.strictObject({
  provider: nameSchema,
  model: z
    .string()
    .overwrite(visibleName)
    .trim()
    .min(1, { error: 'must name a model' })
    .max(200, { error: 'must be at most 200 characters' }),
});
export type ModelReference = z.infer<typeof modelReferenceSchema>;

export const MODES = ['revise', 'retry', 'tune'] as const;
export const BEST_VERSION_RULES = ['highest_score', 'latest', 'first_satisfactory', 'weighted_recency'] as const;
/** What becomes of a pause that nobody answers in its time: left to the rules, or the run is stopped. */
export const TIMEOUT_RULES = ['auto', 'stop'] as const;
export const LESSON_STORES = ['none', 'block', 'recall'] as const;
/** Whose lessons are recalled: those of the own agent and those for all agents, or those of every agent. */
export const RECALLED_AGENTS = ['own', 'all'] as const;
export const LESSON_WRITES = ['learn', 'stage', 'off'] as const;
export const CANDIDATE_SELECTIONS = ['pareto', 'best'] as const;
/** What a proposed prompt must do on the cases it was made from: better than the prompt it came from, or no worse. */
export const ACCEPTANCE_RULES = ['strict', 'not_worse'] as const;
export const PAUSE_RULES = ['never', 'before_revision', 'on_quality_drop', 'before_finish', 'always'] as const;

/** Stands for criteria that were not sent, until the default ones of the task's type take their place. */
const CRITERIA_LEFT_OUT: Criterion[] = [];
const NO_CRITERIA = `must be a list of at least one criterion, or left out with a taskType of ${TASK_TYPES.filter((type) => defaultCriteria(type) !== null).join(', ')}, which have default criteria`;

const temperatureSchema = numberBetween(0, 2).nullable().default(null);

/** When a run stops early; see `STOP_RULES`. */
export const convergenceSchema = z.strictObject({
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
    mode: oneOf(MODES),
    taskType: taskTypeSchema.default('custom'),
    generator: z.strictObject({
      provider: nameSchema,
      model: modelReferenceSchema.shape.model,
      instructions: promptTextSchema.default(''),
      /** Of drafts, attempts and the turns of an agent; null: not sent. */
      temperature: numberBetween(0, 2).nullable().default(null),
      base: baseSchema.default({ type: 'single' }),
    }),
    /** Temperatures of the other roles; what null means for each is what `temperatureFor` returns. */
    temperatures: z
      .strictObject({
        revise: temperatureSchema,
        evaluate: temperatureSchema,
        reflect: temperatureSchema,
        lesson: temperatureSchema,
        /** Of the workers of a supervisor. */
        worker: temperatureSchema,
      })
      .prefault({}),
    reflectionModel: modelReferenceSchema.nullable().default(null),
    evaluatorModel: modelReferenceSchema.nullable().default(null),
    /** Needed where a criterion compares by embedding. */
    embeddingModel: modelReferenceSchema.nullable().default(null),
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
      })
      .default(() => CRITERIA_LEFT_OUT)
      .meta({
        description: 'Where left out, the default criteria of the taskType; custom has none.',
        default: undefined,
      }),
    qualityThreshold: numberBetween(0, 1).default(0.8),
    evaluation: evaluationSettingsSchema.prefault({}),
    maxIterations: integerBetween(0, 50).default(3),
    maxAttempts: integerBetween(1, 50).default(3),
    structuredReflection: z.boolean().default(true),
    preserveAllVersions: z.boolean().default(true),
    triggers: z
      .strictObject({
        /** A reflection after every so many turns of an agent; only where one makes the attempts. */
        stepInterval: integerBetween(1, 100).nullable().default(null),
        onError: z.boolean().default(false),
        /** A reflection after a result of one of these tools, which an agent must have. */
        onTools: toolsSchema.default([]),
        onQualityDrop: z.boolean().default(false),
        qualityDropThreshold: numberBetween(0, 1).default(0.1),
      })
      .prefault({}),
    revision: z
      .strictObject({
        strategy: oneOf(REVISION_STRATEGIES).default('hybrid'),
        includePriorVersions: z.boolean().default(false),
        includeReflectionHistory: z.boolean().default(true),
        maxTokens: integerBetween(1, 1_000_000).nullable().default(null),
      })
      .prefault({}),
    convergence: convergenceSchema.nullable().prefault({}),
    bestVersion: oneOf(BEST_VERSION_RULES).default('highest_score'),
    lessons: z
      .strictObject({
        /** Which promoted lessons of the library stand in prompts: none, all of the named block, or the most relevant. */
        store: oneOf(LESSON_STORES).default('recall'),
        block: nameSchema.default('reflexion_lessons'),
        topK: integerBetween(1, 20).default(3),
        /** Tokens, estimated, that recalled lessons may take of a prompt. */
        tokenBudget: integerBetween(1, 100_000).default(1_500),
        /** Relevance goes by meaning too where a model is named, else by words, their synonyms and spelling. */
        embeddings: modelReferenceSchema.nullable().default(null),
        /** Ids of lessons that are always given while they are promoted. */
        pinned: z
          .array(z.guid({ error: (issue) => `must be the id of a lesson, got ${showValue(issue.input)}` }))
          .max(20, { error: 'must hold at most 20 ids' })
          .default([]),
        /** Whether what a run learns is stored and stands in its own next prompts, is only stored for review, or is not written. */
        write: oneOf(LESSON_WRITES).default('learn'),
        /** A model that looks at each lesson which a run or look back writes, unless the patterns hold it; what it suspects is held. Null: none. */
        check: modelReferenceSchema.nullable().default(null),
        agent: nameSchema.default('default'),
        /** Source: the reflection protocol, 7, which recalls reflections regardless of agent. */
        recallAgents: oneOf(RECALLED_AGENTS).default('own'),
        /** At its end a run writes what it learned, in the form of how it came out: one more call. */
        reflectOnEnd: z.boolean().default(false),
        /**
         * Failed and partial runs always write their reflection, also after a model failure, a cut-off or a budget stop. The run's own
         * budgets hold one call back for it. Source: the reflection protocol, which makes these two mandatory.
         */
        alwaysReflect: z.boolean().default(false),
        /**
         * After so many ended runs of the experiment Hone looks back over the most instructive of them by itself, and proposes decisions,
         * principles, procedures and other lessons. Null: only where a person asks.
         */
        lookBackEvery: integerBetween(1, 10_000).nullable().default(null),
        /** Over how many runs at each such time, one or two calls a run: this bounds what it costs. */
        lookBackRuns: integerBetween(1, 20).default(1),
        /** Lessons that runs wrote for the agent and nobody promoted, of all kinds: how many the library keeps; older ones are archived. Null: all. */
        retentionPerAgent: integerBetween(1, 10_000).nullable().default(30),
      })
      .prefault({}),
    /**
     * How a prompt is tuned; other modes leave it alone. The prompt is `prompts.generate`.
     * Source: GEPA, reflective prompt evolution (Agrawal et al. 2025).
     */
    tune: z
      .strictObject({
        /** The version of the library's prompt that is tuned, by name and number; its text stands in `prompts.generate`. */
        prompt: z
          .strictObject({ name: nameSchema, version: integerBetween(1, 1_000_000) })
          .nullable()
          .default(null),
        /** Training cases that one proposal is made from and first tried on. */
        minibatchSize: integerBetween(1, 50).default(3),
        /** Which candidate the next proposal starts from: one of those that nobody else beats on some case, or the best by its mean. */
        selection: oneOf(CANDIDATE_SELECTIONS).default('pareto'),
        acceptance: oneOf(ACCEPTANCE_RULES).default('strict'),
        /** Share of the cases, but for the held-out ones, that candidates are validated on; 0: on the training cases themselves. */
        validationShare: numberBetween(0, 0.9).default(0.4),
        /** Share of the cases that nothing is learned or chosen by; the first and the best prompt are tried on them at the end. */
        heldOutShare: numberBetween(0, 0.9).default(0.25),
        /** Tokens, estimated, that a proposed prompt may have. */
        maxPromptTokens: integerBetween(20, 100_000).default(2_000),
        /** Whether reflections read what evaluators say of failed cases. Off, for a control: they see only inputs, outputs and scores. */
        feedback: z.boolean().default(true),
        /**
         * Sends the references of training cases to the reflection model, as expected answers and in what evaluators say. References of
         * validation and held-out cases are never sent.
         */
        references: z.boolean().default(true),
        /** Decides the split and the order of cases. */
        seed: integerBetween(0, 1_000_000_000).default(0),
      })
      .prefault({}),
    callbacks: z
      .strictObject({
        pause: oneOf(PAUSE_RULES).default('never'),
        /**
         * Also waits once at each first draft or attempt (`drafts`), or each revision (`revisions`), before it is evaluated and paid
         * for. Apart from `pause`, which speaks of what was evaluated.
         */
        review: z
          .strictObject({ drafts: z.boolean().default(false), revisions: z.boolean().default(false) })
          .prefault({}),
        /** Asked beside the people whenever a run waits for a verdict. */
        webhook: nameSchema.nullable().default(null),
        timeoutSeconds: numberBetween(1, 31_536_000).nullable().default(null),
        onTimeout: oneOf(TIMEOUT_RULES).default('auto'),
        escalate: z.boolean().default(false),
      })
      .prefault({}),
    budget: budgetSchema.prefault({}),
  })
  .overwrite((settings) =>
    settings.criteria === CRITERIA_LEFT_OUT
      ? { ...settings, criteria: defaultCriteria(settings.taskType) ?? CRITERIA_LEFT_OUT }
      : settings,
  )
  .superRefine((settings, context) => {
    if (settings.criteria === CRITERIA_LEFT_OUT)
      context.addIssue({ code: 'custom', path: ['criteria'], message: NO_CRITERIA });
    if (settings.lessons.alwaysReflect && settings.lessons.write === 'off')
      context.addIssue({
        code: 'custom',
        path: ['lessons', 'write'],
        message: 'must be learn or stage where lessons.alwaysReflect is on',
      });
    for (const { path, message } of baseProblems(settings)) context.addIssue({ code: 'custom', path, message });
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

/**
 * The temperature of a role; null where none is sent. Revisions and workers take that of the drafts where they have none of their own,
 * and judges 0 where the drafts have one: scores of the same output should not differ.
 */
export function temperatureFor(
  { generator, temperatures }: Pick<ExperimentSettings, 'generator' | 'temperatures'>,
  role: ModelRole | 'worker',
): number | null {
  switch (role) {
    case 'generate':
      return generator.temperature;
    case 'revise':
    case 'worker':
      return temperatures[role] ?? generator.temperature;
    case 'evaluate':
      return temperatures.evaluate ?? (generator.temperature === null ? null : 0);
    case 'reflect':
    case 'lesson':
      return temperatures[role];
  }
}

export const MODEL_ROLES = ['generate', 'evaluate', 'reflect', 'revise', 'lesson'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];
