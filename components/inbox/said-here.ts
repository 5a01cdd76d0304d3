import type { DecisionInput } from '#components/run/run-actions.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatScore } from '#lib/format.ts';

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
export type PauseEnd = { here: boolean; decision: Decision | null };

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

/** What was said, in the past, for the list of what one has just decided. */
export function saidLabel({ decision, version, criterion, score }: DecisionInput): string {
  const which = version === undefined ? '' : ` v${version}`;
  switch (decision) {
    case 'accept':
      return `accepted${which}`;
    case 'continue':
      return 'continued';
    case 'revise':
      return `guided${which}`;
    case 'revert':
      return `reverted to${which}`;
    case 'stop':
      return 'stopped';
    case 'allow':
      return 'allowed the use of a tool';
    case 'refuse':
      return 'refused the use of a tool';
    case 'edit':
    case 'merge':
      return 'made a version';
    case 'restore':
      return `restored the score of${which}`;
    case 'score':
    case 'override':
      return `scored ${criterion ?? `it`} ${formatScore(score ?? null)}`;
  }
}
