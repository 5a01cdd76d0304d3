import type { RunRecord } from '#lib/core/run-record.ts';

type Decision = RunRecord['decisions'][number];

/**
 * Returns a key that identifies a decision: one per pause, or one per criterion for scores. Overrides and their reversal belong to the run,
 * not to a pause.
 */
export function decisionKey(
  runId: string,
  { decision, criterion, pauseId }: { decision: string; criterion?: string | null; pauseId?: string | null },
): string {
  if (decision === 'override' || decision === 'restore') return `${runId} ${decision}`;
  return decision === 'score' ? `${pauseId} score ${criterion}` : `${pauseId}`;
}

/** End of a pause. `decision` is null if the cause is unknown. */
type PauseEnd = { here: boolean; decision: Decision | null };

/**
 * Returns the decision that ended a past pause, and if it was made in this window. `decidedHere`: keys of this window's decisions. A pause
 * without a decision was ended by an override.
 */
export function pauseEnd(
  record: Pick<RunRecord, 'id' | 'decisions'>,
  pauseId: string,
  decidedHere: ReadonlySet<string>,
): PauseEnd {
  const verdict = record.decisions.findLast((decision) => decision.pauseId === pauseId);
  const decision = verdict ?? record.decisions.findLast((candidate) => candidate.decision === 'override') ?? null;
  return { here: decision !== null && decidedHere.has(decisionKey(record.id, decision)), decision };
}

/** Returns the last pause of a run that was answered in this window. Null if there is none. */
export function answeredHere(
  record: Pick<RunRecord, 'id' | 'decisions'>,
  decidedHere: ReadonlySet<string>,
): string | null {
  const isHere = (decision: Decision) => decision.pauseId !== null && decidedHere.has(decisionKey(record.id, decision));
  return record.decisions.findLast(isHere)?.pauseId ?? null;
}
