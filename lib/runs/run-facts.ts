import type { BaseSettings } from '#lib/core/agents/base-settings.ts';
import type { Limited, RunLimits } from '#lib/core/budget-settings.ts';
import { isJudgedByModel } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import type { History } from '#lib/core/history.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/** What the one criterion of runs that another system scored says of itself. */
export const SCORED_ELSEWHERE = 'Scored where the runs come from';

/** Whether a criterion only stands for how another system scored its runs: no person is asked for it, though it is of their kind. */
export function isScoredElsewhere(criterion: Pick<Criterion, 'evaluator'> & { config?: unknown }): boolean {
  const { evaluator, config } = criterion;
  if (evaluator !== 'human' || typeof config !== 'object' || config === null) return false;
  return 'question' in config && config.question === SCORED_ELSEWHERE;
}

/** Whether the model that writes an experiment's outputs judges them too: such scores are marked wherever they are shown. */
export function isSelfJudged(settings: ExperimentSettings): boolean {
  const judge = modelFor(settings, 'evaluate');
  const { provider, model } = modelFor(settings, 'generate');
  return settings.criteria.some(isJudgedByModel) && judge.provider === provider && judge.model === model;
}

/** The longest output that a person may write, in characters (UTF-16 units). */
export const LONGEST_OUTPUT = 2_000_000;

/**
 * The number of the version that is a run's result: the accepted one, else the best. Null where nobody accepted one and none was scored;
 * the final version is then only the last.
 */
export function resultVersion({
  convergenceReason,
  finalVersion,
  bestVersion,
}: Pick<RunRecord, 'convergenceReason' | 'finalVersion' | 'bestVersion'>): number | null {
  return convergenceReason === 'user_accepted' ? finalVersion : bestVersion;
}

/** The history with its outputs put back, by the number of the version. */
export function withOutputs(history: History, versions: readonly { number: number; output: string }[]): History {
  const outputs = new Map(versions.map(({ number, output }) => [number, output]));
  return {
    ...history,
    versions: history.versions.map((version) => ({ ...version, output: outputs.get(version.number) ?? '' })),
  };
}

/** The settings with only those criteria that are scored without a person: what can be scored again at any time. May be left with none. */
export function withoutPeople<Settings extends Pick<ExperimentSettings, 'criteria'>>(settings: Settings): Settings {
  return { ...settings, criteria: settings.criteria.filter(({ evaluator }) => evaluator !== 'human') };
}

/** What makes an attempt, in a few words: `one call`, `an agent with calculator, http_get`, `a supervisor of planner, solver`. */
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

/** The run limits in some settings. Only a tuning run has limits of proposals and tries. */
export function runLimitsOf({ mode, budget, maxIterations, tune }: Limited & { mode: string }): RunLimits {
  const { maxCalls, maxTokens, maxCostUsd, maxSeconds } = budget;
  const own = { maxCalls, maxTokens, maxCostUsd, maxSeconds };
  return mode === 'tune' ? { ...own, maxIterations, maxTries: tune.maxTries } : own;
}
