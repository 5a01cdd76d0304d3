import type { RunRecord } from '#lib/core/run-record.ts';

type Decision = RunRecord['decisions'][number];

/** What tells decisions apart: one verdict a pause, one score a criterion of it; an override answers no pause, nor does taking it back. */
export function decisionKey(
  runId: string,
  { decision, criterion, pauseId }: { decision: string; criterion?: string | null; pauseId?: string | null },
): string {
  if (decision === 'override' || decision === 'restore') return `${runId} ${decision}`;
  return decision === 'score' ? `${pauseId} score ${criterion}` : `${pauseId}`;
}

/** How a pause ended. `decision` is null where it is not known what ended it. */
type PauseEnd = { here: boolean; decision: Decision | null };

/**
 * By what a pause ended that a run no longer waits at, and whether that was said in this window: `said` holds the keys of all that
 * was. A pause that nothing was said at ended by an override that left nothing to ask.
 */
export function pauseEnd(
  record: Pick<RunRecord, 'id' | 'decisions'>,
  pauseId: string,
  said: ReadonlySet<string>,
): PauseEnd {
  const verdict = record.decisions.findLast((decision) => decision.pauseId === pauseId);
  const decision = verdict ?? record.decisions.findLast((candidate) => candidate.decision === 'override') ?? null;
  return { here: decision !== null && said.has(decisionKey(record.id, decision)), decision };
}

/** The last pause of a run that was answered in this window; null where none was. */
export function answeredHere(record: Pick<RunRecord, 'id' | 'decisions'>, said: ReadonlySet<string>): string | null {
  const isHere = (decision: Decision) => decision.pauseId !== null && said.has(decisionKey(record.id, decision));
  return record.decisions.findLast(isHere)?.pauseId ?? null;
}
