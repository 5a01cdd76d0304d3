'use client';

import { ApprovalBar } from '#components/agents/approval-bar.tsx';
import { toolPauseOf } from '#components/agents/approval-labels.ts';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { DecisionBar } from './decision-bar.tsx';
import { DraftToast } from './draft-toast.tsx';
import { RunDialogs } from './run-dialogs.tsx';
import type { RunAnswer } from './use-run-answer.ts';

type RunAnswerBarProps = {
  record: RunRecord;
  /** The one that is looked at: what a decision speaks of. Undefined before the first: a run may wait to use a tool by then. */
  version: VersionRecord | undefined;
  settings: ExperimentSettings;
  now: Date;
  answer: RunAnswer;
};

/** The next proposal of a tuned prompt need not start from the last one: to go back to it says something. */
function canRevert({ number }: VersionRecord, record: RunRecord, { mode }: ExperimentSettings): boolean {
  const isLast = number === record.versions.at(-1)?.number;
  return mode === 'tune' || (mode === 'revise' && !isLast);
}

/** Where a person answers a run: the bar while it waits, what is not sent yet where it does not, and the questions asked before. */
export function RunAnswerBar({ record, version, settings, now, answer }: RunAnswerBarProps) {
  const { decisions, dialog, setDialog, chosen } = answer;
  const { draft, isBusy } = decisions;
  const toolPause = toolPauseOf(record);
  return (
    <>
      {toolPause === null ? null : (
        <ApprovalBar
          record={record}
          pause={toolPause}
          settings={settings}
          decisions={decisions}
          now={now}
          onSend={answer.sendAndGoOn}
        />
      )}
      {record.status === 'waiting' && toolPause === null && version ? (
        <DecisionBar
          record={record}
          settings={settings}
          selected={version.number}
          isBusy={isBusy}
          now={now}
          draft={draft}
          chosen={chosen}
          canRevert={canRevert(version, record, settings)}
          onAccept={() => decisions.proposeAccept(version.number)}
          onContinue={decisions.proposeContinue}
          onGuide={() => setDialog('guide')}
          onOverride={() => setDialog('score')}
          onEdit={() => setDialog('edit')}
          onRevert={() => decisions.proposeRevert(version.number)}
          onTake={chosen === null ? null : () => decisions.proposeMerge(chosen)}
          onScore={answer.goToScores}
          onStop={decisions.proposeStop}
          onUndo={decisions.undo}
          onSend={answer.sendAndGoOn}
        />
      ) : null}
      {draft && record.status !== 'waiting' ? (
        <DraftToast draft={draft} isBusy={isBusy} onUndo={decisions.undo} />
      ) : null}
      {version ? (
        <RunDialogs
          record={record}
          version={version}
          settings={settings}
          decisions={decisions}
          open={dialog}
          onOpen={setDialog}
        />
      ) : null}
    </>
  );
}
