import {
  stepTotalsLabel,
  type ToolPause,
  toolPauseOf,
  toolRequesterLabel,
  toolRequestLabel,
} from '#components/run/agents/agent-labels.ts';
import { agentStepsOf } from '#components/run/agents/agent-steps.ts';
import { reviewedTitle } from '#components/run/decision-labels.ts';
import { currentScore, parentOf } from '#components/run/run-versions.ts';
import { stopMeaning } from '#components/run/stop-reason-labels.ts';
import type { AskedScore } from '#lib/core/history.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { stopName } from '#lib/core/stop-reasons.ts';
import {
  formatAge,
  formatCost,
  formatCount,
  formatList,
  formatNumberOf,
  formatScore,
  formatScoreAgainst,
} from '#lib/format.ts';
import type { InboxClaim, InboxItem } from '#lib/inbox/queries.ts';
import type { WaitingKind } from '#lib/inbox/waiting-kinds.ts';

/** Returns the reason an item waits, shown below its name. `mayDecide`: true if the current user may answer. */
export function itemLabel(
  item: Pick<
    InboxItem,
    'kind' | 'mode' | 'hook' | 'toolCall' | 'asks' | 'wouldStopAs' | 'scores' | 'version' | 'versionCount' | 'bestScore'
  >,
  mayDecide: boolean,
): string {
  const reviewed = reviewedTitle(item, item.mode);
  if (reviewed !== null) return `${reviewed} waits for a review`;
  const tool = item.toolCall?.tool ?? 'a tool';
  const unit = item.mode === 'retry' ? 'attempt' : 'version';
  switch (item.kind) {
    case 'score':
      return `needs ${mayDecide ? 'your' : 'a reviewer’s'} score for ${formatList(item.asks)}`;
    case 'escalated':
      return `unsolved after ${formatNumberOf(item.versionCount, unit)}, ${bestLabel(item.bestScore)}`;
    case 'tool':
      return `the agent wants to use ${tool}`;
    case 'verdict':
      return item.wouldStopAs === null
        ? continueLabel(item)
        : `before finishing: would stop as ${stopName(item.wouldStopAs)}`;
  }
}

function continueLabel({ mode, scores, version, versionCount }: Parameters<typeof itemLabel>[0]): string {
  const last = scores[version] ?? null;
  const before = scores[version - 1] ?? null;
  const next = mode === 'retry' ? `before attempt ${versionCount + 1}` : `before revision ${versionCount}`;
  if (last !== null && before !== null && last < before)
    return `v${version} fell from ${formatScore(before)} to ${formatScore(last)}, ${next}`;
  return last === null ? next : `v${version} at ${formatScore(last)}, ${next}`;
}

function bestLabel(score: number | null): string {
  return score === null ? 'no scores' : `best ${formatScore(score)}`;
}

/** Returns the reviewer who claimed an item and since when. Null without a claim and for the user's own. */
export function claimLabel(claim: InboxClaim | null, now: Date): string | null {
  if (claim === null || claim.who === 'you') return null;
  const age = formatAge(claim.since, now);
  const who = claim.who === 'another_window' ? 'Another window' : claim.name;
  return age === 'now' ? `${who} opened it just now` : `${who} opened it ${age} ago`;
}

/** Labels of the item kinds in the filter. */
export const KIND_LABELS: Record<WaitingKind, string> = {
  verdict: 'Paused runs',
  score: 'Score requests',
  escalated: 'Escalated',
  tool: 'Tool approvals',
};

/**
 * Returns why a run waits: the state of its version and the pending request. Empty if it does not wait. `mayDecide`: true if the current
 * user may answer.
 */
export function pauseSummary(record: RunRecord, settings: ExperimentSettings, mayDecide: boolean): string[] {
  const pause = record.waitingFor;
  const toolPause = toolPauseOf(record);
  if (toolPause !== null) return toolLabel(record, toolPause, settings);
  const version = record.versions.find(({ number }) => number === pause?.version);
  if (pause === null || version === undefined) return [];
  const reviewed = reviewedTitle(pause, settings.mode);
  if (reviewed !== null) return [`${reviewed} waits for a review before it is scored.`];
  const score = currentScore(version);
  const parent = record.versions.find(({ number }) => number === parentOf(version));
  const before = parent === undefined ? null : currentScore(parent);
  const shown = score === null ? null : formatScoreAgainst(score, settings.qualityThreshold);
  const result =
    score === null || shown === null
      ? `v${version.number} has no overall score.`
      : before === null || parent === undefined || score === before
        ? `v${version.number} scored ${shown.score} against a threshold of ${shown.threshold}.`
        : `v${version.number} scored ${shown.score} against a threshold of ${shown.threshold}, ${formatScore(Math.abs(score - before))} ${score > before ? 'above' : 'below'} v${parent.number}.`;
  if (pause.asks.length > 0)
    return [
      result,
      `The run needs ${mayDecide ? 'your' : 'a reviewer’s'} score for ${formatList(pause.asks.map(askedLabel))}.`,
    ];
  if (pause.wouldStopAs === null) return [result, 'By its rules, the run would continue.'];
  const meaning = stopMeaning(pause.wouldStopAs, settings);
  return [
    result,
    `By its rules, the run would stop here (${stopName(pause.wouldStopAs)}): ${lowercaseFirst(meaning)}.`,
  ];
}

function askedLabel({ criterion, proposed }: AskedScore): string {
  return proposed === undefined ? criterion : `${criterion} (judge proposes ${formatScore(proposed)})`;
}

function toolLabel(record: RunRecord, pause: ToolPause, { callbacks }: ExperimentSettings): string[] {
  const way = agentStepsOf(record, pause.version);
  const so = way === null ? [] : [`So far for v${pause.version}: ${stepTotalsLabel(way.sums)}.`];
  const outcome =
    pause.expiresAt === null
      ? 'The run waits until someone decides.'
      : callbacks.onTimeout === 'stop'
        ? 'After the timeout, the run stops.'
        : 'After the timeout, the tool is refused and the agent continues.';
  return [`${toolRequesterLabel(record, pause)} ${toolRequestLabel(pause.toolCall)}.`, ...so, outcome];
}

/** What happens if the run continues, with the average tokens and cost of its versions so far. Null if the run does not wait. */
export function continuationLabel(record: RunRecord, settings: ExperimentSettings): string | null {
  const count = record.versions.length;
  if (record.waitingFor === null) return null;
  if (record.waitingFor.toolCall !== null)
    return `the agent uses ${record.waitingFor.toolCall.tool} and continues with the result.`;
  if (count === 0) return null;
  const { hook, version } = record.waitingFor;
  if (hook !== 'onReflection') return `v${version} is scored unchanged, and the run continues.`;
  const next =
    settings.mode === 'retry'
      ? `attempt ${count + 1} starts with the lessons of this run`
      : 'the run writes the next revision';
  const cost = isUnpriced(record) ? '' : `, ${formatCost(record.costUsd / count, record.unpriced)}`;
  const each = `${formatCount(record.tokenUsage.total / count)} tokens${cost}`;
  return `${next}. The average so far is ${each} per version.`;
}

/** True if no call of the run has a known price. */
export function isUnpriced({ costUsd, unpriced }: Pick<RunRecord, 'costUsd' | 'unpriced'>): boolean {
  return unpriced && costUsd === 0;
}

function lowercaseFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
