import { waySumLabel } from '#components/run/agents/agent-labels.ts';
import { agentStepsOf } from '#components/run/agents/agent-steps.ts';
import { type ToolPause, toolPauseOf, whoAsks, wishWords } from '#components/run/agents/approval-labels.ts';
import { reviewedTitle } from '#components/run/pause-labels.ts';
import { currentScore, parentOf } from '#components/run/run-versions.ts';
import { stopMeaning, stopName } from '#components/run/stop-reason-labels.ts';
import type { AskedScore } from '#lib/core/history.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatCount, formatList, formatScore, formatScoreAgainst } from '#lib/format.ts';

/**
 * Why a run waits: how its version stands, and what it waits for; empty where it does not wait. `mayDecide`: whether who looks may
 * answer it.
 */
export function happeningLabel(record: RunRecord, settings: ExperimentSettings, mayDecide: boolean): string[] {
  const pause = record.waitingFor;
  const toolPause = toolPauseOf(record);
  const without = mayDecide ? 'Without you' : 'Without an answer';
  if (toolPause !== null) return toolLabel(record, toolPause, settings, without);
  const version = record.versions.find(({ number }) => number === pause?.version);
  if (pause === null || version === undefined) return [];
  const reviewed = reviewedTitle(pause, settings.mode);
  if (reviewed !== null)
    return [`${reviewed} waits to be looked at before it is judged.`, `${without} it would be judged as it is.`];
  const score = currentScore(version);
  const parent = record.versions.find(({ number }) => number === parentOf(version));
  const before = parent === undefined ? null : currentScore(parent);
  const shown = score === null ? null : formatScoreAgainst(score, settings.qualityThreshold);
  const stands =
    score === null || shown === null
      ? `v${version.number} has no overall score.`
      : before === null || parent === undefined || score === before
        ? `v${version.number} scored ${shown.score} against a threshold of ${shown.threshold}.`
        : `v${version.number} scored ${shown.score} against a threshold of ${shown.threshold}, ${formatScore(Math.abs(score - before))} ${score > before ? 'above' : 'below'} v${parent.number}.`;
  if (pause.asks.length > 0)
    return [
      stands,
      `It waits for ${mayDecide ? 'your' : 'a person’s'} score of ${formatList(pause.asks.map(askedLabel))}.`,
    ];
  if (pause.wouldStopAs === null) return [stands, `${without} it would go on.`];
  const meaning = stopMeaning(pause.wouldStopAs, settings);
  return [stands, `${without} it would stop here as ${stopName(pause.wouldStopAs)}: ${lowered(meaning)}.`];
}

function askedLabel({ criterion, proposed }: AskedScore): string {
  return proposed === undefined ? criterion : `${criterion} (the judge proposes ${formatScore(proposed)})`;
}

function toolLabel(record: RunRecord, pause: ToolPause, { callbacks }: ExperimentSettings, without: string): string[] {
  const way = agentStepsOf(record, pause.version);
  const so = way === null ? [] : [`On its way to v${pause.version} it has come to ${waySumLabel(way.sums)}.`];
  const outcome =
    pause.expiresAt === null
      ? 'it waits'
      : callbacks.onTimeout === 'stop'
        ? 'the run would be stopped'
        : 'it would not be used, and the agent be told so';
  return [`${whoAsks(record, pause)} ${wishWords(pause.toolCall)}.`, ...so, `${without} ${outcome}.`];
}

/** What going on comes to: what is made next, and what each version so far came to on average. Null where the run does not wait. */
export function goingOnLabel(record: RunRecord, settings: ExperimentSettings): string | null {
  const count = record.versions.length;
  if (record.waitingFor === null) return null;
  if (record.waitingFor.toolCall !== null)
    return `${record.waitingFor.toolCall.tool} is used, and the agent goes on with what comes of it.`;
  if (count === 0) return null;
  const { hook, version } = record.waitingFor;
  if (hook !== 'onReflection') return `v${version} is judged as it is, and the run goes on by its rules.`;
  const next =
    settings.mode === 'retry'
      ? `attempt ${count + 1} is made, with the run’s lessons in its prompt`
      : 'the next revision is made';
  const each = `${formatCount(record.tokenUsage.total / count)} tokens, ${formatCost(record.costUsd / count, record.unpriced)}`;
  return `${next}. Each so far came to about ${each}.`;
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
