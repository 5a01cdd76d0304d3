import { toolOfDecision } from '#components/run/decision-labels.ts';
import { LocalTime } from '#components/ui/local-time.tsx';
import { LongText } from '#components/ui/long-text.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import { stopName } from '#lib/core/stop-reasons.ts';
import { formatScore, joinParts } from '#lib/format.ts';
import { decisionLabel } from './decision-labels.ts';

type Decision = RunRecord['decisions'][number];

/** Lists the decisions on a run by people, webhooks, code and timeouts, latest first: maker, time, action, reason and run state. */
export function DecisionList({ record }: { record: RunRecord }) {
  const decisions = record.decisions.filter(({ by }) => by !== 'policy').toReversed();
  if (decisions.length === 0) return null;
  return (
    <Pane className="max-medium:order-6">
      <PaneHeader title="Decisions" />
      <ol className="flex flex-col gap-3" data-testid="decisions">
        {decisions.map((decision) => (
          <li key={`${decision.at} ${decision.decision} ${decision.criterion} ${decision.toolCallId}`}>
            <p className="flex flex-wrap items-center gap-2 gap-x-2">
              <b>{makerOf(decision)}</b>
              <span>{decisionLabel(decision, toolOfDecision(record, decision))}</span>
              <span className="ml-auto text-ink-3 text-sm">
                <LocalTime moment={decision.at} />
              </span>
            </p>
            {[decision.guidance, decision.reason].map((text) =>
              text ? (
                <Quote key={text} className="wrap-anywhere mt-1 whitespace-pre-wrap">
                  {text}
                </Quote>
              ) : null,
            )}
            {decision.toolArguments === null ? null : (
              <LongText
                className="isolate-text mt-1 rounded-1 bg-sunken px-[0.3rem] py-px font-mono glyphs-plain text-code/[1.55] [direction:ltr]"
                text={decision.toolArguments}
                of="the arguments"
              />
            )}
            {decision.seen ? <p className="mt-1 text-ink-2 text-sm">{seenLabel(decision, decision.seen)}</p> : null}
          </li>
        ))}
      </ol>
    </Pane>
  );
}

function makerOf({ by, actor }: Decision): string {
  if (by === 'timeout') return 'The timeout';
  return actor ?? (by === 'code' ? 'Code' : by);
}

/** Describes the run state at the decision: existing versions, the score of the version decided on, and the pending stop reason. */
function seenLabel(
  { version, decision, hook }: Decision,
  { versions, score, wouldStopAs }: NonNullable<Decision['seen']>,
) {
  const isOfScore = decision === 'override' || decision === 'restore';
  const isNew = decision === 'edit' || decision === 'merge';
  return joinParts(
    versions === 0 ? 'before the first version' : `after v${versions - 1}`,
    hook === 'onReflection' || hook === 'onToolCall' || isOfScore ? '' : `before v${versions - 1} was scored`,
    isNew || version === null || version >= versions
      ? ''
      : `v${version} ${score === null ? 'unscored' : `scored ${formatScore(score)}`}`,
    wouldStopAs === null ? '' : `would have stopped: ${stopName(wouldStopAs)}`,
  );
}
