import type { Criterion } from '#lib/reflection/criterion.ts';
import { type ExperimentSettings, type ModelReference, settingsSchema } from '#lib/reflection/settings.ts';

/** A criterion while it is edited: every entry as it was typed. */
export type CriterionDraft = {
  key: number;
  name: string;
  description: string;
  weight: string;
  threshold: string;
  evaluator: Criterion['evaluator'];
  rubric: string;
  pattern: string;
  flags: string;
  mustMatch: boolean;
  min: string;
  max: string;
  match: 'exact' | 'contains' | 'numeric';
  /** Empty for the evaluator's own choice. */
  normalize: '' | 'none' | 'trim' | 'lower' | 'squad';
  extract: string;
  tolerance: string;
};

/** An experiment while it is edited: numbers as text, an empty entry for none. */
export type ExperimentDraft = {
  name: string;
  mode: ExperimentSettings['mode'];
  taskType: ExperimentSettings['taskType'];
  instructions: string;
  provider: string;
  model: string;
  temperature: string;
  evaluatorModel: ModelReference | null;
  reflectionModel: ModelReference | null;
  prompts: Record<keyof ExperimentSettings['prompts'], string>;
  criteria: CriterionDraft[];
  qualityThreshold: string;
  maxIterations: string;
  maxAttempts: string;
  structuredReflection: boolean;
  qualityDropThreshold: string;
  includePriorVersions: boolean;
  includeReflectionHistory: boolean;
  maxOutputTokens: string;
  earlyStops: boolean;
  plateauIterations: string;
  improvementThreshold: string;
  detectOscillation: boolean;
  detectStability: boolean;
  bestVersion: ExperimentSettings['bestVersion'];
  lessonBlock: string;
  lessonWrite: ExperimentSettings['lessons']['write'];
  agent: string;
  pause: ExperimentSettings['callbacks']['pause'];
  maxTokens: string;
  maxCostUsd: string;
  maxSeconds: string;
};

/** A draft that holds what the settings say, ready to be edited. */
export function toDraft(name: string, settings: ExperimentSettings): ExperimentDraft {
  const { generator, prompts, convergence, revision, budget } = settings;
  const stops = convergence ?? DEFAULTS.convergence;
  return {
    name,
    mode: settings.mode,
    taskType: settings.taskType,
    instructions: generator.instructions,
    provider: generator.provider,
    model: generator.model,
    temperature: typed(generator.temperature),
    evaluatorModel: settings.evaluatorModel,
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
    maxIterations: typed(settings.maxIterations),
    maxAttempts: typed(settings.maxAttempts),
    structuredReflection: settings.structuredReflection,
    qualityDropThreshold: typed(settings.triggers.qualityDropThreshold),
    includePriorVersions: revision.includePriorVersions,
    includeReflectionHistory: revision.includeReflectionHistory,
    maxOutputTokens: typed(revision.maxTokens),
    earlyStops: convergence !== null,
    plateauIterations: typed(stops?.plateauIterations ?? 2),
    improvementThreshold: typed(stops?.improvementThreshold ?? 0.05),
    detectOscillation: stops?.detectOscillation ?? true,
    detectStability: stops?.detectStability ?? true,
    bestVersion: settings.bestVersion,
    lessonBlock: settings.lessons.block,
    lessonWrite: settings.lessons.write,
    agent: settings.lessons.agent,
    pause: settings.callbacks.pause,
    maxTokens: typed(budget.maxTokens),
    maxCostUsd: typed(budget.maxCostUsd),
    maxSeconds: typed(budget.maxSeconds),
  };
}

/** What is sent to be stored. Entries that are no numbers go as they were typed, so that the answer can name them. */
export function fromDraft(draft: ExperimentDraft) {
  return {
    name: draft.name,
    mode: draft.mode,
    taskType: draft.taskType,
    generator: {
      provider: draft.provider,
      model: draft.model,
      instructions: draft.instructions,
      temperature: orNull(draft.temperature),
    },
    evaluatorModel: draft.evaluatorModel,
    reflectionModel: draft.reflectionModel,
    prompts: Object.fromEntries(
      Object.entries(draft.prompts).map(([role, text]) => [role, text.trim() === '' ? null : text]),
    ),
    criteria: draft.criteria.map(fromCriterionDraft),
    qualityThreshold: read(draft.qualityThreshold),
    maxIterations: read(draft.maxIterations),
    maxAttempts: read(draft.maxAttempts),
    structuredReflection: draft.structuredReflection,
    triggers: { qualityDropThreshold: read(draft.qualityDropThreshold) },
    revision: {
      includePriorVersions: draft.includePriorVersions,
      includeReflectionHistory: draft.includeReflectionHistory,
      maxTokens: orNull(draft.maxOutputTokens),
    },
    convergence: draft.earlyStops
      ? {
          plateauIterations: read(draft.plateauIterations),
          improvementThreshold: read(draft.improvementThreshold),
          detectOscillation: draft.detectOscillation,
          detectStability: draft.detectStability,
        }
      : null,
    bestVersion: draft.bestVersion,
    lessons: { block: draft.lessonBlock, write: draft.lessonWrite, agent: draft.agent },
    callbacks: { pause: draft.pause },
    budget: {
      maxTokens: orNull(draft.maxTokens),
      maxCostUsd: orNull(draft.maxCostUsd),
      maxSeconds: orNull(draft.maxSeconds),
    },
  };
}

/** A criterion as yet without a name, judged by a model. */
export function newCriterion(key: number): CriterionDraft {
  return {
    key,
    name: '',
    description: '',
    weight: '1',
    threshold: '0.7',
    evaluator: 'llm',
    rubric: '',
    pattern: '',
    flags: '',
    mustMatch: true,
    min: '',
    max: '',
    match: 'exact',
    normalize: '',
    extract: '',
    tolerance: '',
  };
}

function toCriterionDraft(criterion: Criterion, key: number): CriterionDraft {
  const shared = {
    ...newCriterion(key),
    name: criterion.name,
    description: criterion.description,
    weight: typed(criterion.weight),
    threshold: typed(criterion.threshold),
    evaluator: criterion.evaluator,
  };
  switch (criterion.evaluator) {
    case 'llm':
      return { ...shared, rubric: criterion.config.rubric ?? '' };
    case 'regex': {
      const { pattern, flags, mustMatch, min, max } = criterion.config;
      return { ...shared, pattern, flags: flags ?? '', mustMatch, min: typed(min ?? null), max: typed(max ?? null) };
    }
    case 'reference': {
      const { match, normalize, extract, tolerance } = criterion.config;
      return {
        ...shared,
        match,
        normalize: normalize ?? '',
        extract: extract ?? '',
        tolerance: typed(tolerance ?? null),
      };
    }
  }
}

function fromCriterionDraft(draft: CriterionDraft) {
  const shared = {
    name: draft.name,
    description: draft.description,
    weight: read(draft.weight),
    threshold: read(draft.threshold),
    evaluator: draft.evaluator,
  };
  switch (draft.evaluator) {
    case 'llm':
      return { ...shared, config: given({ rubric: draft.rubric }) };
    case 'regex':
      return {
        ...shared,
        config: {
          pattern: draft.pattern,
          mustMatch: draft.mustMatch,
          ...given({ flags: draft.flags }),
          ...given({ min: draft.min, max: draft.max }, read),
        },
      };
    case 'reference':
      return {
        ...shared,
        config: {
          match: draft.match,
          ...given({ normalize: draft.normalize, extract: draft.extract }),
          ...(draft.match === 'numeric' ? given({ tolerance: draft.tolerance }, read) : {}),
        },
      };
  }
}

/** Only the entries that hold something. */
function given(
  entries: Record<string, string>,
  readEntry: (text: string) => unknown = (text) => text,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entries)
      .filter(([, text]) => text.trim() !== '')
      .map(([key, text]) => [key, readEntry(text)]),
  );
}

function orNull(text: string): unknown {
  return text.trim() === '' ? null : read(text);
}

/** A number where the text is one, with point or comma; else the text itself, null for none. */
function read(text: string): unknown {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

function typed(value: number | null): string {
  return value === null ? '' : String(value);
}

const DEFAULTS = settingsSchema.parse({
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'any', evaluator: 'llm' }],
});
