import { LongText } from '#components/agents/long-text.tsx';
import { toolOfDecision } from '#components/agents/tool-of-decision.ts';
import { formatMoment, formatScore } from '#lib/format.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import { decisionWords } from './decision-words.ts';
import { stopName } from './stop-reason-words.ts';

type Decision = RunRecord['decisions'][number];

/** What people, webhooks, code and time-outs decided on the run, latest first: who, when, what, why, and how the run stood then. */
export function DecisionList({ record }: { record: RunRecord }) {
  const decisions = record.decisions.filter(({ by }) => by !== 'policy').toReversed();
  if (decisions.length === 0) return null;
  return (
    <section className="pane o6">
      <div className="ph">
        <h2>Decisions</h2>
      </div>
      <ol className="stack gap-3" data-testid="decisions">
        {decisions.map((decision) => (
          <li key={`${decision.at} ${decision.decision} ${decision.criterion} ${decision.toolCallId}`}>
            <p className="row wrap gap-x-2">
              <b>{makerOf(decision)}</b>
              <span>{decisionWords(decision, toolOfDecision(record, decision))}</span>
              <time className="sm faint end" dateTime={decision.at}>
                {formatMoment(decision.at)}
              </time>
            </p>
            {[decision.guidance, decision.reason].map((words) =>
              words ? (
                <p key={words} className="quote mt-1 whitespace-pre-wrap wrap-anywhere">
                  {words}
                </p>
              ) : null,
            )}
            {decision.toolArguments === null ? null : (
              <LongText className="asked-call mt-1" text={decision.toolArguments} of="the arguments" />
            )}
            {decision.seen ? <p className="sm muted mt-1">{seenWords(decision, decision.seen)}</p> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

function makerOf({ by, actor }: Decision): string {
  if (by === 'timeout') return 'The time-out';
  return actor ?? (by === 'code' ? 'Code' : by);
}

/** How the run stood: which versions there were, what the one decided on was scored, and what the run would have stopped for. */
function seenWords(
  { version, decision, hook }: Decision,
  { versions, score, wouldStopAs }: NonNullable<Decision['seen']>,
) {
  const isOfScore = decision === 'override' || decision === 'restore';
  const isNew = decision === 'edit' || decision === 'merge';
  return [
    versions === 0 ? 'before any version' : versions === 1 ? 'at v0' : `at v0 to v${versions - 1}`,
    hook === 'onReflection' || hook === 'onToolCall' || isOfScore ? '' : `before v${versions - 1} was judged`,
    isNew || version === null || version >= versions
      ? ''
      : `v${version} ${score === null ? 'unscored' : `at ${formatScore(score)}`}`,
    wouldStopAs === null ? '' : `else stopped as ${stopName(wouldStopAs)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
