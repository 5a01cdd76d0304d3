'use client';

import { decidedWords } from '#components/run/decision-words.ts';
import { runStatusWords } from '#components/run/run-status.tsx';
import { useModEnter } from '#components/run/use-mod-enter.ts';
import { useMay } from '#components/team/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';

type Decision = RunRecord['decisions'][number];
type DecidedElsewhereProps = {
  record: RunRecord;
  /** What ended the pause one was looking at; null where nobody's decision did. */
  decision: Decision | null;
  /** The name under which decisions of whoever looks are kept. */
  me: string;
  onNext: () => void;
};

/** Somebody else was first: who decided what, how the run stands now, and on to the next. */
export function DecidedElsewhere({ record, decision, me, onNext }: DecidedElsewhereProps) {
  const waitsAgain = record.waitingFor !== null;
  const { may } = useMay('reviewer');
  const mod = useModKey();
  // Where it waits again the key belongs to the answer to that.
  useModEnter(waitsAgain ? null : onNext);
  return (
    <Pane data-testid="decided-elsewhere">
      <Notice
        tone="person"
        alert
        title={decision === null ? 'This run does not wait any more.' : decidedWords(record, decision, me)}
        actions={
          <Button size="small" onClick={onNext}>
            Next item {waitsAgain ? <kbd>j</kbd> : <kbd>{mod} ↵</kbd>}
          </Button>
        }
      >
        {waitsAgain
          ? `The run went on and waits again, ${record.waitingFor?.toolCall ? `to use ${record.waitingFor.toolCall.tool}` : `at v${record.waitingFor?.version}`}: what you see now is new.`
          : `How the run stands: ${runStatusWords(record, may)}.`}
      </Notice>
    </Pane>
  );
}
