import { type Evaluation, type History, NO_SPEND } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';

/**
 * The evaluation that lets the score stand again which a version had before it was overridden, kept beside all others like any
 * word of a person. Null where the score that counts is no override.
 */
export function restoredScore(
  history: History,
  version: number,
  { actor, reason }: { actor: string | null; reason: string | null },
  now: Date,
): Evaluation | null {
  const current = effectiveEvaluation(history, version);
  if (current === null || !isOverride(history, current)) return null;
  const evaluations = history.evaluations.filter((evaluation) => !isOverride(history, evaluation));
  const before = effectiveEvaluation({ ...history, evaluations }, version);
  if (before === null) return null;
  return { ...before, ...NO_SPEND, by: 'person', actor, reason, createdAt: now.toISOString(), step: history.step };
}

/** Whether an evaluation came of an override: it has its decision's moment. */
function isOverride({ decisions }: Pick<History, 'decisions'>, { by, version, createdAt }: Evaluation): boolean {
  return (
    by === 'person' &&
    decisions.some((one) => one.decision === 'override' && one.version === version && one.at === createdAt)
  );
}
