import { Button } from '#components/ui/button.tsx';
import { LongText } from '#components/ui/long-text.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { DecisionInput } from './run-actions.ts';
import type { RunDecisions } from './use-run-answer.ts';

/** Shows why the last decision was rejected. The decision is kept and can be sent again or discarded. */
export function RefusedDecision({ record, decisions }: { record: RunRecord; decisions: RunDecisions }) {
  const { problem, draft, isBusy, sendNow, undo, setProblem } = decisions;
  if (problem === null) return null;
  return (
    <Pane>
      <Notice tone={problem.code === 'conflict' ? 'person' : 'worse'} alert title={problem.message}>
        {draft && draft.sendsAt === null ? (
          <>
            Your answer, {draft.description}, was not sent. It is saved here.{' '}
            {canSendAgain(draft.input, record) ? (
              <Button size="small" disabled={isBusy} onClick={() => void sendNow()}>
                Send again
              </Button>
            ) : null}
            <Button
              size="small"
              variant="ghost"
              onClick={() => {
                undo();
                setProblem(null);
              }}
            >
              Discard
            </Button>
            <Written {...draft.input} />
          </>
        ) : problem.code === 'conflict' ? (
          'Your answer was not sent. The run has changed, see below.'
        ) : (
          'Nothing was changed.'
        )}
      </Notice>
    </Pane>
  );
}

/** Shows the text that a person sent with the decision, because it is stored nowhere else. */
function Written({ output, guidance }: Pick<DecisionInput, 'output' | 'guidance'>) {
  const text = output ?? guidance;
  return text === undefined ? null : (
    <Quote asChild className="mt-2">
      <LongText text={text} of="what you wrote" />
    </Quote>
  );
}

/**
 * True if a rejected decision can be sent again unchanged. An answer to a pause cannot, because each pause is decided once. While a run
 * waits, the decision bar sends the decision to the current pause instead.
 */
export function canSendAgain(input: Pick<DecisionInput, 'pauseId'>, run: Pick<RunRecord, 'status'>): boolean {
  return run.status !== 'waiting' && input.pauseId === undefined;
}
