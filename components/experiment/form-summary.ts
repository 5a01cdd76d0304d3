import { usedTools } from '#lib/core/agents/tool-calls.ts';
import { MODEL_ROLES, type ModelRole } from '#lib/core/model-roles.ts';
import { STRATEGY_DEFINITIONS } from '#lib/core/revision/strategy.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { STRATEGY_LABELS } from '#lib/core/tuning/strategies/strategy-labels.ts';
import { formatList, formatNames, formatNumberOf, joinParts } from '#lib/format.ts';
import type { FormPart } from '#lib/runs/edit-form-path.ts';
import { promptPath } from './first-prompt.ts';
import {
  type FormSettings,
  isEmptyModelSettings,
  type NumberEntry,
  rolesOf,
  sentBaseType,
  tunedComponents,
} from './form-settings.ts';
import { stopsLabel } from './stop-settings.ts';

/** Returns the summary of a collapsed part of the form. */
export function summaryOf(part: FormPart, settings: FormSettings): string {
  return SUMMARIES[part](settings);
}

const SUMMARIES: Record<FormPart, (settings: FormSettings) => string> = {
  tuning: tuningSummary,
  task: taskSummary,
  base: baseSummary,
  prompts: promptsSummary,
  criteria: ({ criteria, qualityThreshold }) =>
    `${formatNumberOf(criteria.length, 'criterion', 'criteria')}, ${weightsLabel(criteria)}, threshold ${qualityThreshold ?? ''}`,
  loop: ({ mode, maxAttempts, maxIterations }) => loopLabel(mode, maxAttempts, maxIterations),
  reflection: reflectionSummary,
  lessons: lessonsSummary,
  stops: ({ mode, convergence }) =>
    convergence === null ? 'only at the threshold or a cap' : stopsLabel(mode, convergence),
  people: peopleSummary,
};

function tuningSummary({ generator, tune }: FormSettings): string {
  const first = tune.task === null ? 'custom prompt' : 'first prompt by the reflection model';
  const own = generator.target ? tunedComponents(generator.target).join(', ') || 'no components' : first;
  return joinParts(
    tune.prompt === null ? own : `${tune.prompt.name} v${tune.prompt.version}`,
    tune.strategy !== 'gepa' && STRATEGY_LABELS[tune.strategy].label,
    `${tune.minibatchSize ?? '?'} cases per proposal`,
    `${tune.heldOutShare ?? '?'} held out`,
    !tune.feedback && 'without feedback',
    !tune.references && 'without references',
  );
}

function taskSummary(settings: FormSettings): string {
  const { evaluatorModel, reflectionModel, embeddingModel, generator, modelSettings, taskType } = settings;
  const changed = rolesOf(settings).filter(({ role }) => !isEmptyModelSettings(modelSettings[role]));
  return joinParts(
    evaluatorModel === null ? 'same model judges' : `${evaluatorModel.model} judges`,
    reflectionModel !== null && `${reflectionModel.model} reflects`,
    embeddingModel !== null && `${embeddingModel.model} embeds`,
    generator.temperature !== null && `temperature ${generator.temperature}`,
    ...changed.map(({ label }) => `model settings for ${label}`),
    taskType !== 'custom' && taskType,
  );
}

function promptsSummary(settings: FormSettings): string {
  const { mode, prompts } = settings;
  if (mode === 'tune') return prompts.evaluate?.trim() ? 'custom judge prompt' : 'default judge prompt';
  const own = getRolesWithOtherPrompts(settings).filter((role) => prompts[role]?.trim());
  return own.length === 0 ? 'default prompts' : `custom prompts: ${own.join(', ')}`;
}

function reflectionSummary({ mode, generator: { base }, revision, triggers }: FormSettings): string {
  const isAgent = base.type !== 'single';
  const extra = [
    triggers.onQualityDrop && 'drops',
    triggers.onError && 'unusable answers',
    isAgent && triggers.onTools.length > 0 && `results of ${triggers.onTools.join(', ')}`,
  ].filter((one) => one !== false);
  return joinParts(
    mode === 'retry' ? 'lessons from failed attempts' : STRATEGY_DEFINITIONS[revision.strategy].label,
    extra.length > 0 && `reflects on ${formatList(extra)}`,
    isAgent && triggers.stepInterval !== null && `reflects every ${triggers.stepInterval} turns`,
  );
}

function lessonsSummary({ mode, lessons }: FormSettings): string {
  const writes = mode !== 'tune';
  return joinParts(
    `recalls ${STORE_LABELS[lessons.store]}`,
    lessons.store === 'recall' && `up to ${lessons.topK ?? '?'}`,
    lessons.pinned.length > 0 && `${lessons.pinned.length} pinned`,
    writes && `new lessons ${WRITE_LABELS[lessons.write]}`,
    writes && lessons.reflectOnEnd && 'reflects at the end',
    writes && lessons.alwaysReflect && 'always reflects on failed and partial runs',
    writes && lessons.lookBackEvery !== null && `retrospective every ${lessons.lookBackEvery} runs`,
  );
}

function peopleSummary({ mode, callbacks, budget }: FormSettings): string {
  const looks = reviewLabel(mode, callbacks.review);
  const limits = joinParts(
    budget.maxCostUsd !== null && `$${budget.maxCostUsd}`,
    budget.maxCalls !== null && `${budget.maxCalls} calls`,
    budget.maxTokens !== null && `${budget.maxTokens} tokens`,
    budget.maxSeconds !== null && `${budget.maxSeconds} s`,
    budget.maxExperimentCostUsd !== null && `$${budget.maxExperimentCostUsd} over all runs`,
    budget.maxExperimentTokens !== null && `${budget.maxExperimentTokens} tokens over all runs`,
  );
  return joinParts(
    callbacks.pause === 'never' ? 'no pauses' : `pauses ${pauseLabel(callbacks.pause, mode)}`,
    looks !== null && `review of ${looks}`,
    callbacks.webhook !== null && `webhook ${callbacks.webhook}`,
    mode === 'retry' && callbacks.escalate && 'escalates unsolved runs',
    callbacks.timeoutSeconds !== null && `timeout ${callbacks.timeoutSeconds} s`,
    limits || 'no budget',
  );
}

/** Returns the roles whose prompt is not in the always visible prompt field. */
export function getRolesWithOtherPrompts(settings: FormSettings): readonly ModelRole[] {
  // A target has its own prompts.
  const roles = MODEL_ROLES.filter(
    (role) => settings.generator.target === null || (role !== 'generate' && role !== 'revise'),
  );
  return roles.filter((role) => `prompts.${role}` !== promptPath(settings));
}

function baseSummary(settings: FormSettings): string {
  const { mode, generator } = settings;
  const { base } = generator;
  if (sentBaseType(settings) === 'single') return 'one call';
  const tools = usedTools(base);
  const asks = mode === 'tune' ? [] : base.approve.filter((name) => tools.includes(name));
  const names = base.workers.map(({ name }) => name.trim() || '?').join(', ');
  return joinParts(
    base.type === 'react' ? 'an agent' : `a supervisor of ${names || 'no workers yet'}`,
    tools.length === 0 ? 'without tools' : `with ${tools.join(', ')}`,
    asks.length > 0 && `approval for ${asks.join(', ')}`,
    `up to ${base.maxSteps ?? '?'} turns`,
  );
}

/** Returns the mode and its limit: `revise, up to 3 revisions`. */
export function loopLabel(
  mode: ExperimentSettings['mode'],
  maxAttempts: NumberEntry,
  maxIterations: NumberEntry,
): string {
  const texts: Record<typeof mode, string> = {
    retry: `retry, up to ${maxAttempts ?? ''} attempts`,
    revise: `revise, up to ${maxIterations ?? ''} revisions`,
    tune: `tune, up to ${maxIterations ?? ''} proposals`,
  };
  return texts[mode];
}

/** Returns the outputs a reviewer sees before they are scored, such as `first drafts and revisions`, or null. */
export function reviewLabel(
  mode: string,
  { drafts, revisions }: { drafts: boolean; revisions: boolean },
): string | null {
  if (mode === 'tune') return revisions ? 'proposals' : null;
  const parts = mode === 'retry' ? [drafts && 'attempts'] : [drafts && 'first drafts', revisions && 'revisions'];
  const named = parts.filter((part) => part !== false);
  return named.length === 0 ? null : formatList(named);
}

/** Returns the label of a pause rule in a mode. */
export function pauseLabel(rule: ExperimentSettings['callbacks']['pause'], mode: string): string {
  if (mode === 'tune' && rule === 'before_revision') return 'before each proposal';
  if (mode === 'tune' && rule === 'always') return 'after each proposal';
  return PAUSE_LABELS[rule];
}

const PAUSE_LABELS: Record<ExperimentSettings['callbacks']['pause'], string> = {
  never: 'never',
  before_revision: 'before each revision',
  on_quality_drop: 'when the score drops',
  before_finish: 'before finishing',
  always: 'after each version',
};

export const TIMEOUT_LABELS: Record<ExperimentSettings['callbacks']['onTimeout'], string> = {
  auto: 'apply the stop rules',
  stop: 'stop the run',
};

export const STORE_LABELS: Record<ExperimentSettings['lessons']['store'], string> = {
  recall: 'the most relevant',
  block: 'the whole block',
  none: 'none',
};

export const WRITE_LABELS: Record<ExperimentSettings['lessons']['write'], string> = {
  learn: 'stored',
  stage: 'staged for review',
  off: 'not written',
};

export const SELECTION_LABELS: Record<ExperimentSettings['tune']['selection'], string> = {
  pareto: 'any candidate that is best on a case (Pareto)',
  pareto_criteria: 'any candidate that is best by a criterion (Pareto)',
  pareto_hybrid: 'any candidate that is best on a case or by a criterion (Pareto)',
  best: 'the candidate with the best mean',
};

export const MINIBATCH_LABELS: Record<ExperimentSettings['tune']['minibatches'], string> = {
  shuffled: 'the next training cases in random order',
  failures: 'up to half from known failures',
};

export const ACCEPTANCE_LABELS: Record<ExperimentSettings['tune']['acceptance'], string> = {
  strict: 'better than its parent',
  not_worse: 'no worse than its parent',
};

/** Lists the weights individually if they differ. */
function weightsLabel(criteria: readonly { weight: string }[]): string {
  const weights = criteria.map(({ weight }) => weight || '?');
  const [first] = weights;
  if (weights.length > 1 && weights.every((weight) => weight === first)) return 'equal weights';
  return `${weights.length === 1 ? 'weight' : 'weights'} ${formatNames(weights, 8)}`;
}
