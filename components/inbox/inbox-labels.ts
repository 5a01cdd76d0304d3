import { reviewedTitle } from '#components/run/decision-labels.ts';
import { stopName } from '#components/run/stop-reason-labels.ts';
import { formatAge, formatList, formatNumberOf, formatScore } from '#lib/format.ts';
import type { InboxClaim, InboxItem } from '#lib/inbox/inbox-item.ts';
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
