import { toolOfDecision } from '#components/agents/tool-of-decision.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatMoment, formatScore } from '#lib/format.ts';

type Decision = RunRecord['decisions'][number];

/** A decision in a few words, for where its maker stands beside it. `tool`: the one whose use it speaks of, where that is known. */
export function decisionLabel(
  { decision, version, score, criterion, toolArguments }: Decision,
  tool = 'a tool',
): string {
  const which = version === null ? '' : ` v${version}`;
  switch (decision) {
    case 'accept':
      return `accept${which}`;
    case 'revise':
      return `guide${which}`;
    case 'revert':
      return `revert to${which}`;
    case 'edit':
      return `edit, made${which}`;
    case 'merge':
      return `merge, made${which}`;
    case 'auto':
      return 'left it to the rules';
    case 'restore':
      return `restore the score of${which}`;
    case 'override':
    case 'score':
      return `${formatScore(score)}${criterion === null ? '' : ` for ${criterion}`}`;
    case 'allow':
      return `allow the use of ${tool}${toolArguments === null ? '' : ' with other arguments'}`;
    case 'refuse':
      return `refuse the use of ${tool}`;
    case 'continue':
    case 'stop':
    case 'resume':
      return decision;
  }
}

/** `Decided meanwhile: accept v0, by Ada, 20 Nov 2026, 14:03 UTC.` `me`: the name under which decisions of whoever reads are kept, if it is known. */
export function decidedLabel(record: RunRecord, decision: Decision, me: string | null = null): string {
  const what = decisionLabel(decision, toolOfDecision(record, decision));
  return `Decided meanwhile: ${what}, ${makerLabel(decision, me)}, ${formatMoment(decision.at)}.`;
}

/**
 * What became of a pause that somebody was asked at: null while the run still waits at it, else who decided what and when, or only that it
 * is over.
 */
export function decidedMeanwhile(record: RunRecord, pauseId: string | undefined): string | null {
  if (pauseId === undefined || record.waitingFor?.pauseId === pauseId) return null;
  const decision = record.decisions.findLast((one) => one.pauseId === pauseId);
  return decision === undefined ? 'The run does not wait there any more.' : decidedLabel(record, decision);
}

function makerLabel({ by, actor }: Decision, me: string | null): string {
  switch (by) {
    case 'person':
      return actor !== null && actor === me ? 'in another window of yours' : `by ${actor ?? 'another person'}`;
    case 'webhook':
      return `by the webhook ${actor ?? ''}`.trim();
    case 'timeout':
      return 'as nobody answered in time';
    case 'code':
      return 'by code';
    case 'policy':
      return 'by the rules';
  }
}
