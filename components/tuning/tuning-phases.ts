import type { RunRecord } from '#lib/core/run-record.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { TuningSummary } from '#lib/statistics/tuning-summary.ts';

/** What a tuning run does just now: in words, and on how many of how many cases where it tries some. */
export type TuningPhase = { label: string; done: number | null; of: number | null };

/** The present phase, told from what is stored; null where the run is not under way. */
export function tuningPhase(
  record: Pick<RunRecord, 'status' | 'versions'>,
  tuning: TuningSummary,
  isProposing: boolean,
): TuningPhase | null {
  if (record.status === 'queued') return { label: 'Queued', done: null, of: null };
  if (record.status !== 'running') return null;
  const last = tuning.versions.at(-1);
  const next = `v${tuning.versions.length}`;
  if (last === undefined) return { label: 'The given prompt', done: null, of: null };
  const unseen = tuning.versions.find(({ tried }) => tried.heldOut > 0 && tried.heldOut < tuning.cases.heldOut);
  if (unseen !== undefined)
    return { label: `v${unseen.number} on the held-out cases`, done: unseen.tried.heldOut, of: tuning.cases.heldOut };
  if (isProposing) return { label: `Proposing ${next}`, done: null, of: null };
  const isOwn = tuning.validatesOn === 'validation';
  const [validated, due] = isOwn
    ? [last.tried.validation, tuning.cases.validation]
    : [last.tried.train, tuning.cases.train];
  switch (last.state) {
    case 'untried':
      return { label: `v${last.number} on the cases it was made from`, done: null, of: null };
    case 'given':
    case 'by_hand':
    case 'accepted':
    case 'candidate':
      return validated < due
        ? { label: `Validating v${last.number}`, done: validated, of: due }
        : { label: `Looking for what fails, then ${next}`, done: null, of: null };
    case 'held_back':
    case 'rejected':
      return { label: `Looking for what fails, then ${next}`, done: null, of: null };
  }
}

/** `4 of 12 cases`; empty where nothing is counted. */
export function phaseCount({ done, of }: TuningPhase): string {
  return done === null || of === null ? '' : `${done} of ${formatNumberOf(of, 'case')}`;
}
