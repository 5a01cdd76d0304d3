import { convergenceSchema, type ExperimentSettings, type ModelReference } from '#lib/core/settings.ts';
import { type BaseDraft, fromBaseDraft, toBaseDraft, toolsOfDraft } from './base-draft.ts';
import { type CriterionDraft, fromCriterionDraft, toCriterionDraft } from './criterion-draft.ts';
import { orNull, read, typed } from './draft-entries.ts';
import { fromStopsDraft, type StopsDraft, toStopsDraft } from './stop-settings.ts';

/** An experiment while it is edited: numbers as text, an empty entry for none. */
export type ExperimentDraft = {
  name: string;
  mode: ExperimentSettings['mode'];
  taskType: ExperimentSettings['taskType'];
  instructions: string;
  provider: string;
  model: string;
  temperature: string;
  temperatures: Record<keyof ExperimentSettings['temperatures'], string>;
  base: BaseDraft;
  evaluatorModel: ModelReference | null;
  embeddingModel: ModelReference | null;
  reflectionModel: ModelReference | null;
  prompts: Record<keyof ExperimentSettings['prompts'], string>;
  criteria: CriterionDraft[];
  qualityThreshold: string;
  /** Empty: a judge's confidence has no effect. */
  confidenceBelow: string;
  confidenceAction: ExperimentSettings['evaluation']['confidence']['action'];
  maxIterations: string;
  maxAttempts: string;
  structuredReflection: boolean;
  preserveAllVersions: boolean;
  qualityDropThreshold: string;
  onQualityDrop: boolean;
  onError: boolean;
  /** Turns of an agent after which it is reflected on, and tools after whose results; nothing where an attempt is one call. */
  stepInterval: string;
  onTools: string[];
  strategy: ExperimentSettings['revision']['strategy'];
  includePriorVersions: boolean;
  includeReflectionHistory: boolean;
  maxOutputTokens: string;
  earlyStops: boolean;
  stops: StopsDraft;
  bestVersion: ExperimentSettings['bestVersion'];
  lessonStore: ExperimentSettings['lessons']['store'];
  lessonBlock: string;
  lessonTopK: string;
  lessonTokens: string;
  lessonEmbeddings: ModelReference | null;
  lessonCheck: ModelReference | null;
  pinnedLessons: string[];
  lessonWrite: ExperimentSettings['lessons']['write'];
  agent: string;
  recallAgents: ExperimentSettings['lessons']['recallAgents'];
  reflectOnEnd: boolean;
  alwaysReflect: boolean;
  lookBackEvery: string;
  lookBackRuns: string;
  retentionPerAgent: string;
  tunePrompt: ExperimentSettings['tune']['prompt'];
  minibatchSize: string;
  selection: ExperimentSettings['tune']['selection'];
  acceptance: ExperimentSettings['tune']['acceptance'];
  validationShare: string;
  heldOutShare: string;
  maxPromptTokens: string;
  tuneFeedback: boolean;
  tuneReferences: boolean;
  tuneSeed: string;
  pause: ExperimentSettings['callbacks']['pause'];
  /** First drafts, or attempts, and revisions are looked at before they are judged. */
  reviewDrafts: boolean;
  reviewRevisions: boolean;
  /** Name of the webhook that decides; empty for none. */
  decidingWebhook: string;
  timeoutSeconds: string;
  onTimeout: ExperimentSettings['callbacks']['onTimeout'];
  escalate: boolean;
  maxCalls: string;
  maxTokens: string;
  maxCostUsd: string;
  maxSeconds: string;
  maxExperimentCostUsd: string;
  maxExperimentTokens: string;
};

/** A draft that holds what the settings say, ready to be edited. */
export function toDraft(name: string, settings: ExperimentSettings): ExperimentDraft {
  const { generator, prompts, convergence, revision, tune, budget } = settings;
  return {
    name,
    mode: settings.mode,
    taskType: settings.taskType,
    instructions: generator.instructions,
    provider: generator.provider,
    model: generator.model,
    temperature: typed(generator.temperature),
    temperatures: {
      revise: typed(settings.temperatures.revise),
      evaluate: typed(settings.temperatures.evaluate),
      reflect: typed(settings.temperatures.reflect),
      lesson: typed(settings.temperatures.lesson),
      worker: typed(settings.temperatures.worker),
    },
    base: toBaseDraft(generator.base),
    evaluatorModel: settings.evaluatorModel,
    embeddingModel: settings.embeddingModel,
    reflectionModel: settings.reflectionModel,
    prompts: {
      generate: prompts.generate ?? '',
      evaluate: prompts.evaluate ?? '',
      reflect: prompts.reflect ?? '',
      revise: prompts.revise ?? '',
      lesson: prompts.lesson ?? '',
    },
    criteria: settings.criteria.map(toCriterionDraft),
    qualityThreshold: typed(settings.qualityThreshold),
    confidenceBelow: typed(settings.evaluation.confidence.below),
    confidenceAction: settings.evaluation.confidence.action,
    maxIterations: typed(settings.maxIterations),
    maxAttempts: typed(settings.maxAttempts),
    structuredReflection: settings.structuredReflection,
    preserveAllVersions: settings.preserveAllVersions,
    qualityDropThreshold: typed(settings.triggers.qualityDropThreshold),
    onQualityDrop: settings.triggers.onQualityDrop,
    onError: settings.triggers.onError,
    stepInterval: typed(settings.triggers.stepInterval),
    onTools: settings.triggers.onTools,
    strategy: revision.strategy,
    includePriorVersions: revision.includePriorVersions,
    includeReflectionHistory: revision.includeReflectionHistory,
    maxOutputTokens: typed(revision.maxTokens),
    earlyStops: convergence !== null,
    stops: toStopsDraft(convergence ?? DEFAULT_STOPS),
    bestVersion: settings.bestVersion,
    lessonStore: settings.lessons.store,
    lessonBlock: settings.lessons.block,
    lessonTopK: typed(settings.lessons.topK),
    lessonTokens: typed(settings.lessons.tokenBudget),
    lessonEmbeddings: settings.lessons.embeddings,
    lessonCheck: settings.lessons.check,
    pinnedLessons: settings.lessons.pinned,
    lessonWrite: settings.lessons.write,
    agent: settings.lessons.agent,
    recallAgents: settings.lessons.recallAgents,
    reflectOnEnd: settings.lessons.reflectOnEnd,
    alwaysReflect: settings.lessons.alwaysReflect,
    lookBackEvery: typed(settings.lessons.lookBackEvery),
    lookBackRuns: typed(settings.lessons.lookBackRuns),
    retentionPerAgent: typed(settings.lessons.retentionPerAgent),
    tunePrompt: tune.prompt,
    minibatchSize: typed(tune.minibatchSize),
    selection: tune.selection,
    acceptance: tune.acceptance,
    validationShare: typed(tune.validationShare),
    heldOutShare: typed(tune.heldOutShare),
    maxPromptTokens: typed(tune.maxPromptTokens),
    tuneFeedback: tune.feedback,
    tuneReferences: tune.references,
    tuneSeed: typed(tune.seed),
    pause: settings.callbacks.pause,
    reviewDrafts: settings.callbacks.review.drafts,
    reviewRevisions: settings.callbacks.review.revisions,
    decidingWebhook: settings.callbacks.webhook ?? '',
    timeoutSeconds: typed(settings.callbacks.timeoutSeconds),
    onTimeout: settings.callbacks.onTimeout,
    escalate: settings.callbacks.escalate,
    maxCalls: typed(budget.maxCalls),
    maxTokens: typed(budget.maxTokens),
    maxCostUsd: typed(budget.maxCostUsd),
    maxSeconds: typed(budget.maxSeconds),
    maxExperimentCostUsd: typed(budget.maxExperimentCostUsd),
    maxExperimentTokens: typed(budget.maxExperimentTokens),
  };
}

/** What is sent to be stored. Entries that are no numbers go as they were typed, so that the answer can name them. */
export function fromDraft(draft: ExperimentDraft) {
  return {
    name: draft.name,
    mode: draft.mode,
    taskType: draft.taskType.trim() === '' ? 'custom' : draft.taskType,
    generator: {
      provider: draft.provider,
      model: draft.model,
      instructions: draft.instructions,
      temperature: orNull(draft.temperature),
      // A prompt is tuned over single calls.
      base: draft.mode === 'tune' ? { type: 'single' } : fromBaseDraft(draft.base),
    },
    temperatures: Object.fromEntries(
      Object.entries(draft.temperatures).map(([role, temperature]) => [role, orNull(temperature)]),
    ),
    evaluatorModel: draft.evaluatorModel,
    embeddingModel: draft.embeddingModel,
    reflectionModel: draft.reflectionModel,
    prompts: Object.fromEntries(
      Object.entries(draft.prompts).map(([role, text]) => [role, text.trim() === '' ? null : text]),
    ),
    criteria: draft.criteria.map(fromCriterionDraft),
    qualityThreshold: read(draft.qualityThreshold),
    evaluation: { confidence: { below: orNull(draft.confidenceBelow), action: draft.confidenceAction } },
    maxIterations: read(draft.maxIterations),
    maxAttempts: read(draft.maxAttempts),
    structuredReflection: draft.structuredReflection,
    preserveAllVersions: draft.preserveAllVersions,
    triggers: {
      onQualityDrop: draft.onQualityDrop,
      onError: draft.onError,
      ...agentTriggers(draft),
      qualityDropThreshold: read(draft.qualityDropThreshold),
    },
    revision: {
      strategy: draft.strategy,
      includePriorVersions: draft.includePriorVersions,
      includeReflectionHistory: draft.includeReflectionHistory,
      maxTokens: orNull(draft.maxOutputTokens),
    },
    convergence: draft.earlyStops ? fromStopsDraft(draft.stops) : null,
    bestVersion: draft.bestVersion,
    lessons: {
      store: draft.lessonStore,
      block: draft.lessonBlock,
      topK: read(draft.lessonTopK),
      tokenBudget: read(draft.lessonTokens),
      embeddings: draft.lessonEmbeddings,
      check: draft.lessonCheck,
      pinned: draft.pinnedLessons.map((id) => id.trim()).filter((id) => id !== ''),
      write: draft.lessonWrite,
      agent: draft.agent,
      recallAgents: draft.recallAgents,
      reflectOnEnd: draft.reflectOnEnd,
      alwaysReflect: draft.alwaysReflect,
      lookBackEvery: orNull(draft.lookBackEvery),
      lookBackRuns: read(draft.lookBackRuns),
      retentionPerAgent: orNull(draft.retentionPerAgent),
    },
    tune: tuneOf(draft),
    callbacks: {
      pause: draft.pause,
      review: { drafts: draft.reviewDrafts, revisions: draft.reviewRevisions },
      webhook: draft.decidingWebhook === '' ? null : draft.decidingWebhook,
      timeoutSeconds: orNull(draft.timeoutSeconds),
      onTimeout: draft.onTimeout,
      escalate: draft.mode === 'retry' && draft.escalate,
    },
    budget: {
      maxCalls: orNull(draft.maxCalls),
      maxTokens: orNull(draft.maxTokens),
      maxCostUsd: orNull(draft.maxCostUsd),
      maxSeconds: orNull(draft.maxSeconds),
      maxExperimentCostUsd: orNull(draft.maxExperimentCostUsd),
      maxExperimentTokens: orNull(draft.maxExperimentTokens),
    },
  };
}

/** A single call has neither turns nor tools; of tools only those that can be used are watched. */
function agentTriggers({ mode, base, stepInterval, onTools }: ExperimentDraft) {
  if (mode === 'tune' || base.type === 'single') return { stepInterval: null, onTools: [] };
  const used = toolsOfDraft(base);
  return { stepInterval: orNull(stepInterval), onTools: onTools.filter((name) => used.includes(name)) };
}

/** How a prompt is tuned, of what is sent. */
export function tuneOf(draft: ExperimentDraft) {
  return {
    prompt: draft.tunePrompt,
    minibatchSize: read(draft.minibatchSize),
    selection: draft.selection,
    acceptance: draft.acceptance,
    validationShare: read(draft.validationShare),
    heldOutShare: read(draft.heldOutShare),
    maxPromptTokens: read(draft.maxPromptTokens),
    feedback: draft.tuneFeedback,
    references: draft.tuneReferences,
    seed: read(draft.tuneSeed),
  };
}

/** What a criterion is judged by beside itself, of what is sent. */
export function judgingOf(draft: ExperimentDraft) {
  const settings = fromDraft(draft);
  const { taskType, generator, temperatures, evaluatorModel, embeddingModel, prompts } = settings;
  const { structuredReflection, qualityThreshold } = settings;
  // What is tried is judged alone, however it was made.
  const { base: _, ...writer } = generator;
  return {
    taskType,
    generator: writer,
    temperatures,
    evaluatorModel,
    embeddingModel,
    prompts,
    structuredReflection,
    qualityThreshold,
  };
}

const DEFAULT_STOPS = convergenceSchema.parse({});
