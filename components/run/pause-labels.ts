import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatScore, formatSentence } from '#lib/format.ts';
import { stopName } from './stop-reason-labels.ts';

type Pause = Pick<NonNullable<RunRecord['waitingFor']>, 'hook' | 'version' | 'asks' | 'wouldStopAs'>;

/** Describes in one sentence the decision a paused run waits for. `mayDecide`: true if the reader may decide. */
export function pauseLabel(pause: Pause, { mode }: Pick<ExperimentSettings, 'mode'>, mayDecide: boolean): string {
  const { asks, wouldStopAs } = pause;
  const reviewed = reviewedName(pause, mode);
  if (reviewed !== null)
    return `${formatSentence(reviewed)} waits for a review before it is ${mode === 'tune' ? 'tested' : 'scored'}.`;
  if (asks.length > 0)
    return `It needs ${mayDecide ? 'your' : 'a reviewer’s'} score for ${asks.map(({ criterion, proposed }) => (proposed === undefined ? criterion : `${criterion} (judge proposes ${formatScore(proposed)})`)).join(' and ')}.`;
  return wouldStopAs
    ? `By its rules, the run would stop (${stopName(wouldStopAs)}).`
    : `By its rules, the run would continue with the next ${mode === 'tune' ? 'proposal' : 'revision'}.`;
}

type ReviewPause = Pick<NonNullable<RunRecord['waitingFor']>, 'hook' | 'version'>;

/**
 * Returns the name of the version to review before scoring: `draft v0`, `attempt 2`, `revision v1`. Returns null at a pause after an
 * evaluation or before a tool call.
 */
function reviewedName({ hook, version }: ReviewPause, mode: string): string | null {
  switch (hook) {
    case 'onReflection':
    case 'onToolCall':
      return null;
    case 'onGeneration':
      return mode === 'retry' ? `attempt ${version + 1}` : `draft v${version}`;
    case 'onRevision':
      return `${mode === 'tune' ? 'proposal' : 'revision'} v${version}`;
  }
}

/** Returns the name of the version to review, capitalized for the start of a sentence. */
export function reviewedTitle(pause: ReviewPause, mode: string): string | null {
  const name = reviewedName(pause, mode);
  return name === null ? null : name.charAt(0).toUpperCase() + name.slice(1);
}
