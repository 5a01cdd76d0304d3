import { stopMeaning } from '#components/run/stop-reason-words.ts';
import { formatChange, formatNumberOf, formatScore } from '#lib/format.ts';
import type { MeanInterval } from '#lib/measures/mean-interval.ts';
import type { TuningGain } from '#lib/measures/tuning-gain.ts';
import type { TuningSummary } from '#lib/measures/tuning-summary.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';

/** What a tuning run that has ended came to: a sentence that says it, and what it rests on. */
export type TuningOutcome = { title: string; detail: string };

/**
 * What there is to say of a tuning run that has ended; null while it has not. How many proposals it made stands first: a run that made
 * none or one has shown little, whatever its scores.
 */
export function tuningOutcome(
  record: Pick<RunRecord, 'status' | 'convergenceReason' | 'finalVersion' | 'bestVersion'>,
  tuning: TuningSummary,
  settings: ExperimentSettings,
): TuningOutcome | null {
  if (record.convergenceReason === null || record.status === 'running' || record.status === 'queued') return null;
  const { proposals, accepted } = tuning;
  const made =
    proposals === 0
      ? 'No proposal was made.'
      : `${proposals === 1 ? 'One proposal was' : `${proposals} proposals were`} made, ${accepted === 0 ? 'none was' : accepted === 1 ? 'one was' : `${accepted} were`} accepted.`;
  const best = record.finalVersion ?? record.bestVersion;
  const kept = best === null || best === 0 ? 'The prompt stays as it was given.' : comparison(best, tuning);
  const why = `${stopMeaning(record.convergenceReason, settings)}.`;
  return { title: made, detail: [kept, why, ...referenceWords(tuning)].join(' ') };
}

/** How many references the reflection model saw; nothing where it saw none. */
function referenceWords({ referencesSeen }: TuningSummary): string[] {
  if (referencesSeen === 0) return [];
  return [
    `The reflection model saw the ${referencesSeen === 1 ? 'reference' : 'references'} of ${formatNumberOf(referencesSeen, 'training case')}.`,
  ];
}

function comparison(best: number, { versions, cases, gain }: TuningSummary): string {
  const of = (number: number) => versions.find((version) => version.number === number);
  const [first, last] = [of(0), of(best)];
  const paired = gain?.version === best ? gain : null;
  const chosen = between(first?.chosenBy ?? null, last?.chosenBy ?? null, paired?.chosenBy ?? null);
  const heldOut = between(first?.heldOut ?? null, last?.heldOut ?? null, paired?.heldOut ?? null);
  return [
    `v${best} against the prompt as given: ${chosen ?? 'not both validated'} by the cases it was chosen by`,
    heldOut === null
      ? cases.heldOut === 0
        ? 'no case was held out, so nothing says how it does on others.'
        : 'not tried on the held-out cases.'
      : `${heldOut} on ${formatNumberOf(cases.heldOut, 'held-out case')}.`,
  ].join('; ');
}

/** `0.40 → 0.80 (+0.40, 95 % +0.10 to +0.70)`, or that it is within noise; the gain goes case by case. */
function between(before: MeanInterval | null, after: MeanInterval | null, gain: TuningGain['heldOut']): string | null {
  if (before === null || after === null) return null;
  const change = `${formatScore(before.mean)} → ${formatScore(after.mean)}`;
  if (gain === null || gain.lift === null || gain.lift === 0) return change;
  if (gain.isNoise || gain.low === null || gain.high === null) return `${change} (within noise)`;
  return `${change} (${formatChange(gain.lift)}, 95 % ${formatChange(gain.low)} to ${formatChange(gain.high)})`;
}
