import { Button } from '#components/ui/button.tsx';
import { LongText } from '#components/ui/long-text.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { DecisionInput } from './run-actions.ts';
import type { RunDecisions } from './use-run-answer.ts';

/** Why the last thing a person said was not taken; what they said is kept, to be sent again or let go. */
export function RefusedDecision({ record, decisions }: { record: RunRecord; decisions: RunDecisions }) {
  const { problem, draft, isBusy, sendNow, undo, setProblem } = decisions;
  if (problem === null) return null;
  return (
    <Pane>
      <Notice tone={problem.code === 'conflict' ? 'person' : 'worse'} alert title={problem.message}>
        {draft && draft.sendsAt === null ? (
          <>
            Your answer, {draft.words}, was not sent. It is saved here.{' '}
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

/** The words of their own that a person sent along: they are nowhere else any more. */
function Written({ output, guidance }: Pick<DecisionInput, 'output' | 'guidance'>) {
  const text = output ?? guidance;
  return text === undefined ? null : (
    <Quote asChild className="mt-2">
      <LongText text={text} of="what you wrote" />
    </Quote>
  );
}

/**
 * Whether a decision that was refused can be sent once more as it is. The answer to a pause cannot: each is decided once. While a run waits
 * its bar sends the decision, to the pause there is by then.
 */
export function canSendAgain(input: Pick<DecisionInput, 'pauseId'>, run: Pick<RunRecord, 'status'>): boolean {
  return run.status !== 'waiting' && input.pauseId === undefined;
}
