import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatScore } from '#lib/format.ts';
import { stopName } from './stop-reason-labels.ts';

type Pause = Pick<NonNullable<RunRecord['waitingFor']>, 'hook' | 'version' | 'asks' | 'wouldStopAs'>;

/**
 * What a run waits for, to be said after “Paused at v1”; begins with a colon. `mayDecide`: whether who looks may answer it; who may not
 * is not spoken to as if they could.
 */
export function pauseLabel(pause: Pause, { mode }: Pick<ExperimentSettings, 'mode'>, mayDecide: boolean): string {
  const { asks, wouldStopAs } = pause;
  const reviewed = reviewedName(pause, mode);
  if (reviewed !== null)
    return `: ${reviewed} waits to be looked at before it is ${mode === 'tune' ? 'tried' : 'judged'}.`;
  if (asks.length > 0)
    return `: it waits for ${mayDecide ? 'your' : 'a person’s'} score of ${asks.map(({ criterion, proposed }) => (proposed === undefined ? criterion : `${criterion} (the judge proposes ${formatScore(proposed)})`)).join(' and ')}.`;
  const without = mayDecide ? 'without you' : 'without an answer';
  return wouldStopAs
    ? `: ${without} the run would stop as ${stopName(wouldStopAs)}.`
    : `: ${without} the run would go on with the next ${mode === 'tune' ? 'proposal' : 'revision'}.`;
}

type Asked = Pick<NonNullable<RunRecord['waitingFor']>, 'hook' | 'version'>;

/**
 * What waits to be looked at before it is judged, as people call it: `draft v0`, `attempt 2`, `revision v1`. Null at a pause after a
 * judgement, and where an agent wants to use a tool.
 */
function reviewedName({ hook, version }: Asked, mode: string): string | null {
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

/** The same as the beginning of a sentence. */
export function reviewedTitle(asked: Asked, mode: string): string | null {
  const name = reviewedName(asked, mode);
  return name === null ? null : name.charAt(0).toUpperCase() + name.slice(1);
}
