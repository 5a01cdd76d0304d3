import { z } from 'zod';
import { comparedVersion, isJudgedByModel, waitsForPerson } from '#lib/core/criterion.ts';
import { meetsThreshold } from '#lib/core/score-evaluation.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { usesSetting } from '#lib/core/tuning/strategies/registry.ts';
import { STRATEGY_SETTINGS } from '#lib/core/tuning/strategies/strategy.ts';

/** A setting that another setting makes ineffective: its path, and the reason as a sentence. */
export const settingsWarningSchema = z.object({ field: z.string(), message: z.string() });
export type SettingsWarning = z.infer<typeof settingsWarningSchema>;

/** Returns the first setting that conflicts with the others, with the reason as the end of a sentence. Null if there is none. */
export function settingsContradiction(settings: ExperimentSettings): SettingsWarning | null {
  const { mode, callbacks } = settings;
  if (mode === 'revise' && callbacks.escalate)
    return {
      field: 'callbacks.escalate',
      message: 'must be false outside retry mode: only unsolved attempts are escalated',
    };
  return unreachable(settings);
}

/**
 * Returns warnings about settings that are valid but probably unintended, because they have no effect or an unexpected one. Shown before a
 * start. Nothing is rejected.
 */
export function settingsWarnings(settings: ExperimentSettings): SettingsWarning[] {
  const contradiction = settingsContradiction(settings);
  return [
    ...(contradiction === null
      ? []
      : [{ ...contradiction, message: `${contradiction.field} ${contradiction.message}.` }]),
    ...thresholdWarnings(settings),
    ...earlyStopWarnings(settings),
    ...pauseWarnings(settings),
    ...confidenceWarnings(settings),
    ...strategyWarnings(settings),
  ];
}

/** The first version has no earlier version to beat and counts as a tie. */
const TIE = 0.5;

/** Warns if no version can reach the threshold. With a single version, a comparison with an earlier one is always a tie. */
function unreachable(settings: ExperimentSettings): SettingsWarning | null {
  if (settings.mode === 'tune' || getMaxVersions(settings) > 1) return null;
  const most = settings.criteria.map((criterion) => (comparedVersion(criterion) === null ? 1 : TIE));
  const at = settings.criteria.findIndex(
    ({ threshold }, position) => threshold !== null && !meetsThreshold(most[position] ?? 1, threshold),
  );
  const cap = settings.mode === 'retry' ? 'maxAttempts' : 'maxIterations';
  const why = `with ${cap} ${settings[cap]} there is one version, and its comparison with an earlier one is always a tie (0.5)`;
  if (at >= 0) return { field: `criteria.${at}.threshold`, message: `can never be reached: ${why}` };
  const weights = settings.criteria.reduce((sum, { weight }) => sum + weight, 0);
  const overall =
    settings.criteria.reduce((sum, { weight }, position) => sum + weight * (most[position] ?? 1), 0) / weights;
  return meetsThreshold(overall, settings.qualityThreshold)
    ? null
    : { field: 'qualityThreshold', message: `can never be reached: ${why}` };
}

/** Returns the maximum number of versions of a run under its cap. */
function getMaxVersions({ mode, maxAttempts, maxIterations }: ExperimentSettings): number {
  return mode === 'retry' ? maxAttempts : maxIterations + 1;
}

function thresholdWarnings({ criteria, qualityThreshold, mode }: ExperimentSettings): SettingsWarning[] {
  if (qualityThreshold === 0 && mode !== 'tune' && criteria.every(({ threshold }) => (threshold ?? 0) === 0))
    return [
      {
        field: 'qualityThreshold',
        message: 'Every version reaches a quality threshold of 0, so each run ends with its first one. Raise it.',
      },
    ];
  const above = criteria.filter(({ threshold }) => threshold !== null && threshold > qualityThreshold);
  if (above.length === 0) return [];
  const named = above.map(({ name, threshold }) => `"${name}" (${threshold})`).join(', ');
  return [
    {
      field: 'qualityThreshold',
      message: `A version must also reach the threshold of ${named}, which is above the quality threshold of ${qualityThreshold}. Clear that field to let the quality threshold decide.`,
    },
  ];
}

/** Minimum patience that is reported if it exceeds the cap. The default of 2 is often left with short caps. */
const OWN_PATIENCE = 3;

function earlyStopWarnings(settings: ExperimentSettings): SettingsWarning[] {
  const { convergence, mode, qualityThreshold } = settings;
  if (convergence === null) return [];
  const { plateauIterations, improvementThreshold } = convergence;
  const warnings: SettingsWarning[] = [];
  const cap = mode === 'retry' ? settings.maxAttempts : settings.maxIterations;
  if (plateauIterations >= OWN_PATIENCE && plateauIterations >= cap)
    warnings.push({
      field: 'convergence.plateauIterations',
      message: `A patience of ${plateauIterations} never stops a run early: the cap of ${cap} comes first. Lower the patience or raise the cap.`,
    });
  else if (mode === 'revise' && improvementThreshold > 0 && improvementThreshold >= qualityThreshold)
    warnings.push({
      field: 'convergence.improvementThreshold',
      message: `A gain of ${improvementThreshold} is not possible below a quality threshold of ${qualityThreshold}. Each run below the threshold stops after ${plateauIterations} revisions because of diminishing returns. Lower the minimum improvement.`,
    });
  return warnings;
}

function pauseWarnings(settings: ExperimentSettings): SettingsWarning[] {
  const { mode, callbacks, generator, criteria, evaluation } = settings;
  const { pause, review, webhook, escalate } = callbacks;
  const warnings: SettingsWarning[] = [];
  const hasNext = mode === 'tune' ? settings.maxIterations > 0 : getMaxVersions(settings) > 1;
  const cap = mode === 'retry' ? 'maxAttempts' : 'maxIterations';
  const isNever = !hasNext && (pause === 'before_revision' || pause === 'on_quality_drop');
  if (isNever)
    warnings.push({
      field: 'callbacks.pause',
      message: `The pause ${pause} never comes: with ${cap} ${settings[cap]} there is one version. Take before_finish, or raise ${cap}.`,
    });
  const reviewsNothing = review.revisions && (mode === 'retry' || !hasNext);
  if (reviewsNothing)
    warnings.push({
      field: 'callbacks.review.revisions',
      message:
        mode === 'retry'
          ? 'There are no revisions to review in retry mode. Use callbacks.review.drafts, which pauses on each attempt.'
          : 'There are no revisions to review with maxIterations 0.',
    });
  const waits =
    (pause !== 'never' && !isNever) ||
    review.drafts ||
    (review.revisions && !reviewsNothing) ||
    escalate ||
    (generator.base.type !== 'single' && generator.base.approve.length > 0) ||
    criteria.some(waitsForPerson) ||
    (evaluation.confidence.below !== null && evaluation.confidence.action === 'ask');
  if (webhook !== null && !waits)
    warnings.push({
      field: 'callbacks.webhook',
      message: `The webhook "${webhook}" never gets a decision, because no run waits. Choose when runs pause.`,
    });
  return warnings;
}

/** Warns about changed tuning settings that the strategy does not use, and known failures that do not fit into minibatches. */
function strategyWarnings(settings: ExperimentSettings): SettingsWarning[] {
  const { mode, tune } = settings;
  if (mode !== 'tune') return [];
  const idle = STRATEGY_SETTINGS.filter(
    (setting) => tune[setting] !== DEFAULT_TUNE[setting] && !usesSetting(settings, setting),
  );
  const warnings = idle.map((setting) => ({
    field: `tune.${setting}`,
    message: `tune.${setting} has no effect with the strategy ${tune.strategy}. Set it to ${DEFAULT_TUNE[setting]}, or choose another strategy.`,
  }));
  if (tune.minibatches !== 'failures' || tune.minibatchSize > 1 || idle.includes('minibatches')) return warnings;
  const message =
    'tune.minibatches has no effect with one case per proposal, because at most half of the cases are known failures. Raise tune.minibatchSize.';
  return [...warnings, { field: 'tune.minibatches', message }];
}

const DEFAULT_TUNE = settingsSchema.shape.tune.parse({});

function confidenceWarnings({ criteria, evaluation }: ExperimentSettings): SettingsWarning[] {
  const { below } = evaluation.confidence;
  if (below === null) return [];
  const field = 'evaluation.confidence.below';
  if (below === 0)
    return [{ field, message: 'No confidence is below 0, so it has no effect. Raise it, or leave it empty.' }];
  if (criteria.some(isJudgedByModel)) return [];
  return [{ field, message: 'No criterion is judged by a model, so no confidence is ever given.' }];
}
