import { z } from 'zod';
import { baseProblems, baseSchema, toolsSchema } from '#lib/core/agents/base-settings.ts';
import { budgetSchema } from './budget-settings.ts';
import { defaultCriteria } from './criterion.ts';
import { type Criterion, criterionSchema } from './criterion-schema.ts';
import { evaluationSettingsSchema } from './evaluation-settings.ts';
import { TASK_TYPES } from './lesson-schema.ts';
import type { ModelRequest } from './model-request.ts';
import type { ModelRole } from './model-roles.ts';
import { modelSettingsSchema, roleSettings, samplingOf } from './model-settings.ts';
import { promptOptionsProblems, promptOptionsShape } from './prompt-options.ts';
import { REVISION_STRATEGIES } from './revision/strategy.ts';
import { BEST_VERSION_RULES, MODES } from './setting-choices.ts';
import {
  areUnique,
  integerBetween,
  mustBe,
  nameSchema,
  numberBetween,
  oneOf,
  promptTextSchema,
  taskTypeSchema,
} from './setting-parts.ts';
import { DEFAULT_CONVERGENCE } from './stop-reasons.ts';
import { targetProblems, targetSettingsSchema } from './targets/target-settings.ts';
import { visibleName } from './visible-name.ts';

export { TASK_TYPES };

/** Reference to a model: the name of a provider and the provider's name of the model. */
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

/** Action for a pause that times out: apply the rules, or stop the run. */
export const TIMEOUT_RULES = ['auto', 'stop'] as const;
export const LESSON_STORES = ['none', 'block', 'recall'] as const;
/** Agents whose lessons are recalled: the own agent and lessons for all agents, or every agent. */
export const RECALLED_AGENTS = ['own', 'all'] as const;
export const LESSON_WRITES = ['learn', 'stage', 'off'] as const;
/** Strategies of a tuning run to find better prompts. See `STRATEGIES`. */
export const TUNING_STRATEGIES = ['gepa', 'pairwise', 'few_shot', 'best_of_n', 'portfolio'] as const;
export type TuningStrategy = (typeof TUNING_STRATEGIES)[number];
/** A strategy that creates prompts. The others run several of these in sequence. */
export type SingleStrategy = Exclude<TuningStrategy, 'portfolio'>;
/** `pareto`: best on a case, `pareto_criteria`: best by the mean of a criterion, `pareto_hybrid`: either. */
export const CANDIDATE_SELECTIONS = ['pareto', 'pareto_criteria', 'pareto_hybrid', 'best'] as const;
/** Selection of the training cases for a proposal. */
export const MINIBATCH_RULES = ['shuffled', 'failures'] as const;
/** Requirement for a proposed prompt on the cases it is based on: better than its parent, or no worse. */
export const ACCEPTANCE_RULES = ['strict', 'not_worse'] as const;
/** Maximum number of scores of a prompt on one case. `CALLS_PER_CASE` reserves ordinals for this many. */
const MAX_REPEATS = 16;
/** Selection of the tuned components of a target that the next proposal improves. */
export const COMPONENT_RULES = ['round_robin', 'blame', 'all'] as const;
const MAX_PARAMETER_VALUES = 8;
export const PAUSE_RULES = ['never', 'before_revision', 'on_quality_drop', 'before_finish', 'always'] as const;

/** Placeholder for omitted criteria, until the defaults of the task type replace it. */
const OMITTED_CRITERIA: Criterion[] = [];
const NO_CRITERIA = `must be a list of at least one criterion, or left out with a taskType of ${TASK_TYPES.filter((type) => defaultCriteria(type) !== null).join(', ')}, which have default criteria`;

const temperatureOf = (what: string) =>
  numberBetween(0, 2).nullable().default(null).describe(`Temperature of ${what}.`);

/** Early stopping of a run. See `STOP_RULES`. */
const convergenceSchema = z.strictObject({
  plateauIterations: integerBetween(1, 10)
    .default(DEFAULT_CONVERGENCE.plateauIterations)
    .describe('Number of versions without improvement after which the run stops.'),
  improvementThreshold: numberBetween(0, 1)
    .default(DEFAULT_CONVERGENCE.improvementThreshold)
    .describe('Smallest increase of the score that counts as an improvement.'),
  detectOscillation: z
    .boolean()
    .default(DEFAULT_CONVERGENCE.detectOscillation)
    .describe('Stops the run if the score alternately rises and falls.'),
  detectStability: z
    .boolean()
    .default(DEFAULT_CONVERGENCE.detectStability)
    .describe('Stops the run if the text no longer changes.'),
});

/**
 * Settings of an experiment, as sent by the form and the API. Missing ones get their default. Scores and thresholds are from 0 to 1.
 * Unknown keys are rejected. Source: the agent pattern requirements for Reflection (2.2 to 2.7) and Reflexion (Shinn et al. 2023).
 */
export const settingsSchema = z
  .strictObject({
    mode: oneOf(MODES).describe('What a run does: revise one output, retry with lessons, or tune a prompt.'),
    taskType: taskTypeSchema
      .default('custom')
      .describe('Kind of task. It chooses the default criteria and helps recall lessons.'),
    generator: z.strictObject({
      provider: nameSchema.describe('Provider of the generator.'),
      model: modelReferenceSchema.shape.model.describe('Model of the generator.'),
      instructions: promptTextSchema.default('').describe('System prompt of drafts, attempts and revisions.'),
      temperature: numberBetween(0, 2)
        .nullable()
        .default(null)
        .describe('Temperature of drafts, attempts and agent turns. Null: Hone sends none.'),
      ...promptOptionsShape,
      base: baseSchema
        .default({ type: 'single' })
        .describe('How an attempt is made: one call, an agent with tools, or a supervisor with workers.'),
      target: targetSettingsSchema
        .nullable()
        .default(null)
        .describe('The app that makes drafts, attempts and revisions. Null: the model makes them.'),
    }),
    /** Temperatures of the other roles. `temperatureFor` resolves null for each. */
    temperatures: z
      .strictObject({
        revise: temperatureOf('revisions. Null: the temperature of drafts'),
        evaluate: temperatureOf('judges. Null: 0 if drafts have a temperature, otherwise not sent'),
        reflect: temperatureOf('critiques and prompt proposals. Null: not sent'),
        lesson: temperatureOf('lessons. Null: not sent'),
        worker: temperatureOf('the workers of a supervisor. Null: the temperature of drafts'),
      })
      .prefault({}),
    modelSettings: modelSettingsSchema.prefault({}),
    reflectionModel: modelReferenceSchema
      .nullable()
      .default(null)
      .describe('Model that writes critiques, lessons and prompt proposals. Null: the generator.'),
    evaluatorModel: modelReferenceSchema.nullable().default(null).describe('Model of judges. Null: the generator.'),
    embeddingModel: modelReferenceSchema
      .nullable()
      .default(null)
      .describe('Model of embeddings, for criteria that compare by meaning.'),
    prompts: z
      .strictObject({
        generate: promptTextSchema
          .nullable()
          .default(null)
          .describe('Prompt for drafts and attempts. Null: the input of the case.'),
        evaluate: promptTextSchema.nullable().default(null).describe('Prompt for judges. Null: the built-in prompt.'),
        reflect: promptTextSchema
          .nullable()
          .default(null)
          .describe(
            'Prompt for critiques of versions, and for prompt proposals. Other triggered critiques use built-in prompts. Null: the built-in prompt.',
          ),
        revise: promptTextSchema.nullable().default(null).describe('Prompt for revisions. Null: the built-in prompt.'),
        lesson: promptTextSchema
          .nullable()
          .default(null)
          .describe(
            'Prompt for lessons of failed attempts. Lessons at the end of a run use a built-in prompt. Null: the built-in prompt.',
          ),
      })
      .prefault({}),
    criteria: z
      .array(criterionSchema, {
        error: 'must be a list of at least one criterion: without an evaluator a loop does nothing useful',
      })
      .min(1, { error: 'must contain at least one criterion: without an evaluator a loop does nothing useful' })
      .max(50, { error: 'must contain at most 50 criteria' })
      .refine((criteria) => areUnique(criteria.map(({ name }) => name)), {
        error: 'must not contain two criteria with the same name',
      })
      .refine((criteria) => criteria.reduce((sum, criterion) => sum + criterion.weight, 0) > 0, {
        error: 'must have weights whose sum is above 0',
      })
      .default(() => OMITTED_CRITERIA)
      .meta({
        description:
          'Criteria that Hone scores, 1 to 50. Default: the criteria of the task type. The task type `custom` has none.',
        default: undefined,
      }),
    qualityThreshold: numberBetween(0, 1).default(0.8).describe('Overall score that counts as good enough.'),
    evaluation: evaluationSettingsSchema.prefault({}),
    maxIterations: integerBetween(0, 50)
      .default(3)
      .describe('Maximum number of revisions in revise mode, and of proposals in tune mode.'),
    maxAttempts: integerBetween(1, 50).default(3).describe('Maximum number of attempts in retry mode.'),
    structuredReflection: z
      .boolean()
      .default(true)
      .describe('Critiques are lists of issues and suggestions. Off: critiques are free text.'),
    preserveAllVersions: z
      .boolean()
      .default(true)
      .describe('Keeps the text of every version. Off: keeps only the first, best, final and accepted texts.'),
    triggers: z
      .strictObject({
        stepInterval: integerBetween(1, 100)
          .nullable()
          .default(null)
          .describe('Interval of critiques of the work of an agent, in turns. Null: no critiques at an interval.'),
        onError: z.boolean().default(false).describe('Critiques the error if the generator returns no usable answer.'),
        onTools: toolsSchema.default([]).describe('Tools after whose results Hone critiques the work of an agent.'),
        onQualityDrop: z.boolean().default(false).describe('Critiques a version whose score dropped.'),
        qualityDropThreshold: numberBetween(0, 1)
          .default(0.1)
          .describe('A decrease of the score by more than this counts as a drop.'),
      })
      .prefault({}),
    revision: z
      .strictObject({
        strategy: oneOf(REVISION_STRATEGIES)
          .default('hybrid')
          .describe(
            'Format in which the model returns a revision: the whole text, edits, new or changed sections, or the one that fits the issues (hybrid).',
          ),
        includePriorVersions: z.boolean().default(false).describe('Shows earlier versions to the model that revises.'),
        includeReflectionHistory: z
          .boolean()
          .default(true)
          .describe('Shows earlier critiques to the model that revises.'),
        maxTokens: integerBetween(1, 1_000_000)
          .nullable()
          .default(null)
          .describe('Maximum number of output tokens of a revision. Null: the maximum for drafts.'),
      })
      .prefault({}),
    convergence: convergenceSchema.nullable().prefault({}),
    bestVersion: oneOf(BEST_VERSION_RULES)
      .default('highest_score')
      .describe('Rule that selects the best version of a run.'),
    lessons: z
      .strictObject({
        store: oneOf(LESSON_STORES)
          .default('recall')
          .describe('Which promoted lessons are added to prompts: none, a named block, or the most relevant ones.'),
        block: nameSchema
          .default('reflexion_lessons')
          .describe('Name of the block of lessons to use if `lessons.store` is `block`.'),
        topK: integerBetween(1, 20).default(3).describe('Maximum number of lessons that Hone recalls for a prompt.'),
        tokenBudget: integerBetween(1, 100_000)
          .default(1_500)
          .describe('Maximum estimated number of tokens that recalled lessons use in a prompt.'),
        embeddings: modelReferenceSchema
          .nullable()
          .default(null)
          .describe('Embedding model for recall by meaning. Null: recall by words, synonyms and spelling.'),
        pinned: z
          .array(z.guid({ error: mustBe('the id of a lesson') }))
          .max(20, { error: 'must contain at most 20 ids' })
          .default([])
          .describe('IDs of promoted lessons that Hone adds to every prompt.'),
        write: oneOf(LESSON_WRITES)
          .default('learn')
          .describe(
            'What happens to new lessons: the run stores and uses them (learn), stores them only for review (stage), or writes none (off).',
          ),
        check: modelReferenceSchema
          .nullable()
          .default(null)
          .describe(
            'Model that checks each new lesson. Hone holds suspicious lessons for review. Null: no model checks them.',
          ),
        agent: nameSchema.default('default').describe('Name of the agent that the run writes lessons for.'),
        /** Source: the reflection protocol, 7, which recalls reflections regardless of agent. */
        recallAgents: oneOf(RECALLED_AGENTS)
          .default('own')
          .describe('Recalls lessons of this agent only, or of every agent.'),
        reflectOnEnd: z
          .boolean()
          .default(false)
          .describe('Writes a lesson at the end of every run. This takes one more call.'),
        /**
         * Failed and partial runs always write their reflection, also after a model failure, a cut-off or a budget stop. The run's budgets
         * reserve one call for it. Source: the reflection protocol, which makes these two mandatory.
         */
        alwaysReflect: z
          .boolean()
          .default(false)
          .describe('Writes a lesson after every failed or partial run. The budget of the run reserves this call.'),
        /**
         * After this many ended runs of the experiment, Hone reviews the most instructive ones automatically, and proposes decisions,
         * principles, procedures and other lessons. Null: only on request.
         */
        lookBackEvery: integerBetween(1, 10_000)
          .nullable()
          .default(null)
          .describe(
            'Number of ended runs after which Hone looks back over past runs and proposes lessons. Null: only on request.',
          ),
        lookBackRuns: integerBetween(1, 20)
          .default(1)
          .describe('Number of runs in each look back. Each run takes one or two calls.'),
        retentionPerAgent: integerBetween(1, 10_000)
          .nullable()
          .default(30)
          .describe('Maximum number of unpromoted lessons per agent. Hone archives older ones. Null: no limit.'),
      })
      .prefault({}),
    /**
     * Settings for tuning a prompt, ignored in other modes. The prompt is `prompts.generate`. Source: GEPA, reflective prompt evolution
     * (Agrawal et al. 2025).
     */
    tune: z
      .strictObject({
        prompt: z
          .strictObject({ name: nameSchema, version: integerBetween(1, 1_000_000) })
          .nullable()
          .default(null)
          .describe('The prompt version that the run tunes. Its text is in prompts.generate.'),
        task: promptTextSchema
          .nullable()
          .default(null)
          .describe(
            'Description of the task. If there is no prompt, the reflection model writes the first prompt from this description.',
          ),
        strategy: oneOf(TUNING_STRATEGIES)
          .default('gepa')
          .describe('How Hone searches for better prompts: one strategy, or several one after another (portfolio).'),
        minibatchSize: integerBetween(1, 50)
          .default(3)
          .describe('Number of training cases that a proposal is based on and first tested on.'),
        minibatches: oneOf(MINIBATCH_RULES)
          .default('shuffled')
          .describe(
            'How Hone chooses the training cases of a proposal: in random order (shuffled), or with up to half of them known failures (failures).',
          ),
        selection: oneOf(CANDIDATE_SELECTIONS)
          .default('best')
          .describe(
            'Selects the candidate that the next proposal starts from. It has the best mean score (best), or the best score on a case (pareto), a criterion (pareto_criteria) or either (pareto_hybrid).',
          ),
        acceptance: oneOf(ACCEPTANCE_RULES)
          .default('strict')
          .describe(
            'Condition for accepting a proposal on its training cases: a better score (strict) or no worse score (not_worse).',
          ),
        proposalsAtOnce: integerBetween(1, 16)
          .default(4)
          .describe(
            'Number of proposals that Hone makes in parallel, each from different cases. Hone makes fewer near a limit, and one if reviewers approve proposals.',
          ),
        components: oneOf(COMPONENT_RULES)
          .default('round_robin')
          .describe(
            'Which component a proposal improves if several are tuned: each in turn (round_robin), the one that feedback names (blame), or all at once (all).',
          ),
        merge: z.boolean().default(true).describe('Merges two candidates that improved different components.'),
        demonstrations: integerBetween(0, 20)
          .default(0)
          .describe(
            'Number of solved training cases that one proposal adds to the best prompt as worked examples. 0: none. With few_shot and portfolio: maximum number of examples of a set. 0: 4.',
          ),
        parameters: z
          .strictObject({
            models: z
              .array(modelReferenceSchema)
              .max(MAX_PARAMETER_VALUES, { error: `must contain at most ${MAX_PARAMETER_VALUES} models` })
              .refine((models) => areUnique(models.map(({ provider, model }) => `${provider} ${model}`)), {
                error: 'must not name a model twice',
              })
              .default([])
              .describe('Other models to test with the best prompt. Each model uses one proposal. Empty: none.'),
            temperatures: z
              .array(numberBetween(0, 2))
              .max(MAX_PARAMETER_VALUES, { error: `must contain at most ${MAX_PARAMETER_VALUES} temperatures` })
              .refine(areUnique, { error: 'must not hold a temperature twice' })
              .default([])
              .describe(
                'Other temperatures to test with the best prompt. Each temperature uses one proposal. Empty: none.',
              ),
          })
          .prefault({}),
        falseAcceptance: numberBetween(0.001, 0.5)
          .default(0.05)
          .describe(
            'Highest probability that the final test claims a gain although there is none. Used if the same prompt gets different scores.',
          ),
        smallestGain: numberBetween(0.01, 1)
          .default(0.1)
          .describe(
            'Gain of the mean score that the final test finds in 4 of 5 runs. It may miss smaller gains. Used if the same prompt gets different scores.',
          ),
        maxRepeats: integerBetween(1, MAX_REPEATS)
          .default(4)
          .describe(
            'Maximum number of times that the final test runs a prompt on one held-out case. 1: one run per case and no test.',
          ),
        validationShare: numberBetween(0, 0.9)
          .default(0.4)
          .describe(
            'Share of the cases that validate candidates, of all cases that are not held out. 0: training cases validate candidates.',
          ),
        heldOutShare: numberBetween(0, 0.9)
          .default(0.25)
          .describe('Share of the cases that Hone holds out and uses only for the final comparison.'),
        weightKey: nameSchema
          .nullable()
          .default(null)
          .describe('Metadata key that contains the weight of a case. Null: all cases have the same weight.'),
        maxPromptTokens: integerBetween(20, 100_000)
          .default(2_000)
          .describe('Maximum estimated number of tokens of a proposed prompt.'),
        feedback: z
          .boolean()
          .default(true)
          .describe(
            'Shows the feedback of evaluators to the reflection model. Turn it off to measure its effect (control).',
          ),
        references: z
          .boolean()
          .default(true)
          .describe(
            'Shows references of training cases to the reflection model. References of other cases are never sent.',
          ),
        maxTries: integerBetween(1, 1_000_000)
          .nullable()
          .default(null)
          .describe(
            'Maximum number of tries (one prompt on one case), without the held-out cases at the end. Null: no limit.',
          ),
        seed: integerBetween(0, 1_000_000_000).default(0).describe('Seed for the random split and order of cases.'),
      })
      .prefault({}),
    callbacks: z
      .strictObject({
        pause: oneOf(PAUSE_RULES).default('never').describe('Point at which a run pauses for a decision.'),
        /**
         * Also waits once at each first draft or attempt (`drafts`), or each revision (`revisions`), before it is evaluated. Independent of
         * `pause`, which applies after the evaluation.
         */
        review: z
          .strictObject({
            drafts: z
              .boolean()
              .default(false)
              .describe('Pauses the run at the first draft and at each attempt, before Hone scores it.'),
            revisions: z.boolean().default(false).describe('Pauses the run at each revision before Hone scores it.'),
          })
          .prefault({}),
        webhook: nameSchema
          .nullable()
          .default(null)
          .describe(
            'Name of the webhook that receives each decision request in parallel with the reviewers. Null: none.',
          ),
        timeoutSeconds: numberBetween(1, 31_536_000)
          .nullable()
          .default(null)
          .describe('Maximum time that a run waits for a decision, in seconds. Null: no limit.'),
        onTimeout: oneOf(TIMEOUT_RULES)
          .default('auto')
          .describe('What happens after the timeout: the rules decide (auto), or the run stops (stop).'),
        escalate: z.boolean().default(false).describe('Pauses a retry run for a decision if it would end unsolved.'),
      })
      .prefault({}),
    budget: budgetSchema.prefault({}),
  })
  .overwrite((settings) =>
    settings.criteria === OMITTED_CRITERIA
      ? { ...settings, criteria: defaultCriteria(settings.taskType) ?? OMITTED_CRITERIA }
      : settings,
  )
  .superRefine((settings, context) => {
    if (settings.criteria === OMITTED_CRITERIA)
      context.addIssue({ code: 'custom', path: ['criteria'], message: NO_CRITERIA });
    if (settings.lessons.alwaysReflect && settings.lessons.write === 'off')
      context.addIssue({
        code: 'custom',
        path: ['lessons', 'write'],
        message: 'must be learn or stage if lessons.alwaysReflect is on',
      });
    for (const { path, message } of [
      ...baseProblems(settings),
      ...targetProblems(settings),
      ...promptOptionsProblems(settings),
    ])
      context.addIssue({ code: 'custom', path, message });
  });
export type ExperimentSettings = z.infer<typeof settingsSchema>;
/** Input of the settings: every setting with a default may be omitted. */
export type ExperimentSettingsInput = z.input<typeof settingsSchema>;

/**
 * Returns the temperature of a role, or null if none is sent. Revisions and workers inherit that of the drafts. Judges default to 0 if the
 * drafts have one, because scores of the same output should not differ.
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

/**
 * Returns the request settings of a role. `model` is the model to call, if not the role's own. Revisions are limited by
 * `revision.maxTokens`, else like drafts. A target gets none.
 */
export function callSettings(
  settings: Pick<ExperimentSettings, 'generator' | 'temperatures' | 'modelSettings' | 'revision'>,
  role: ModelRole | 'worker',
  model?: ModelReference,
): Pick<ModelRequest, 'temperature' | 'maxOutputTokens' | 'sampling'> {
  if (settings.generator.target !== null && (role === 'generate' || role === 'revise'))
    return { temperature: null, maxOutputTokens: null };
  const ofRole = roleSettings(settings, role, model);
  const sampling = samplingOf(ofRole);
  return {
    temperature: temperatureFor(settings, role),
    maxOutputTokens: (role === 'revise' ? settings.revision.maxTokens : null) ?? ofRole.maxOutputTokens,
    ...(sampling !== undefined && { sampling }),
  };
}
