import type { BaseSettings } from '#lib/core/agents/base-settings.ts';
import type { Limited, RunLimits } from '#lib/core/budget-settings.ts';
import { isJudgedByModel } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import type { History } from '#lib/core/history.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/** Description of the only criterion of runs that another system scored. */
export const SCORED_ELSEWHERE = 'Scored where the runs come from';

/**
 * Returns true if a criterion only represents scores from another system. No person is asked to score it, although its evaluator is
 * `human`.
 */
export function isScoredElsewhere(criterion: Pick<Criterion, 'evaluator'> & { config?: unknown }): boolean {
  const { evaluator, config } = criterion;
  if (evaluator !== 'human' || typeof config !== 'object' || config === null) return false;
  return 'question' in config && config.question === SCORED_ELSEWHERE;
}

/** Returns true if the model that writes an experiment's outputs also judges them. The pages mark such scores. */
export function isSelfJudged(settings: ExperimentSettings): boolean {
  const judge = modelFor(settings, 'evaluate');
  const { provider, model } = modelFor(settings, 'generate');
  return settings.criteria.some(isJudgedByModel) && judge.provider === provider && judge.model === model;
}

/** Maximum length of a hand-written output, in characters (UTF-16 units). */
export const MAX_OUTPUT_LENGTH = 2_000_000;

/**
 * Returns the number of the version that is a run's result: the accepted one, otherwise the best. Null if none was accepted and none was
 * scored, because the final version is then only the last one.
 */
export function resultVersion({
  convergenceReason,
  finalVersion,
  bestVersion,
}: Pick<RunRecord, 'convergenceReason' | 'finalVersion' | 'bestVersion'>): number | null {
  return convergenceReason === 'user_accepted' ? finalVersion : bestVersion;
}

/** Returns the history with its outputs restored, by version number. */
export function withOutputs(history: History, versions: readonly { number: number; output: string }[]): History {
  const outputs = new Map(versions.map(({ number, output }) => [number, output]));
  return {
    ...history,
    versions: history.versions.map((version) => ({ ...version, output: outputs.get(version.number) ?? '' })),
  };
}

/**
 * Returns the settings with only the criteria that are scored without a person, which can be scored again at any time. May have no criteria
 * left.
 */
export function withoutPeople<Settings extends Pick<ExperimentSettings, 'criteria'>>(settings: Settings): Settings {
  return { ...settings, criteria: settings.criteria.filter(({ evaluator }) => evaluator !== 'human') };
}

/**
 * Returns a short label of the base that makes an attempt: `one call`, `an agent with calculator, http_get`, `a supervisor of planner,
 * solver`.
 */
export function agentBaseLabel(base: BaseSettings): string {
  switch (base.type) {
    case 'single':
      return 'one call';
    case 'react':
      return base.tools.length === 0 ? 'an agent without tools' : `an agent with ${base.tools.join(', ')}`;
    case 'supervisor':
      return `a supervisor of ${base.workers.map(({ name }) => name).join(', ')}`;
  }
}

/** Returns the run limits in some settings. Only a tuning run limits proposals and example scores. */
export function runLimitsOf({ mode, budget, maxIterations, tune }: Limited & { mode: string }): RunLimits {
  const { maxCalls, maxTokens, maxCostUsd, maxSeconds } = budget;
  const own = { maxCalls, maxTokens, maxCostUsd, maxSeconds };
  return mode === 'tune' ? { ...own, maxIterations, maxTries: tune.maxTries } : own;
}
