'use client';

import { useState } from 'react';
import { Notice } from '#components/ui/notice.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { decidedMeanwhile } from './decision-labels.ts';
import { EditDialog } from './edit-dialog.tsx';
import { GuideDialog } from './guide-dialog.tsx';
import { OverrideDialog } from './override-dialog.tsx';
import type { RunDecisions } from './use-run-decisions.ts';

export type RunDialog = 'score' | 'guide' | 'edit';

type RunDialogsProps = {
  record: RunRecord;
  version: VersionRecord;
  settings: ExperimentSettings;
  decisions: RunDecisions;
  open: RunDialog | null;
  onOpen: (dialog: RunDialog | null) => void;
};

/**
 * The questions that a decision asks before it is made, each of the version that was chosen when it was opened: what is being written stays
 * when the run moves on meanwhile, and says so.
 */
export function RunDialogs({ record, version, settings, decisions, open, onOpen }: RunDialogsProps) {
  const pauseId = record.waitingFor?.pauseId;
  const [asked, setAsked] = useState({ version, pauseId });
  if (open === null && (asked.version !== version || asked.pauseId !== pauseId)) setAsked({ version, pauseId });
  const { number, output } = asked.version;
  const dialog = (name: RunDialog) => ({
    open: open === name,
    onOpenChange: (isOpen: boolean) => onOpen(isOpen ? name : null),
    version: number,
  });
  const notice = open === 'score' ? null : <MovedOn record={record} pauseId={asked.pauseId} />;
  return (
    <>
      <OverrideDialog
        key={`score-${number}`}
        {...dialog('score')}
        settings={settings}
        onSend={(input) => {
          onOpen(null);
          decisions.proposeScore(input, number);
        }}
      />
      <GuideDialog
        key={`guide-${number}`}
        {...dialog('guide')}
        isRetry={settings.mode === 'retry'}
        notice={notice}
        onSend={(guidance) => {
          onOpen(null);
          decisions.proposeGuide(number, guidance);
        }}
      />
      <EditDialog
        key={`edit-${number}`}
        {...dialog('edit')}
        next={record.versions.length}
        output={output}
        notice={notice}
        onSend={(text) => {
          onOpen(null);
          decisions.proposeEdit(number, text);
        }}
      />
    </>
  );
}

/** That the pause a person writes an answer to is over, and what becomes of what they write. */
function MovedOn({ record, pauseId }: { record: RunRecord; pauseId: string | undefined }) {
  const words = decidedMeanwhile(record, pauseId);
  if (words === null) return null;
  return (
    <Notice tone="person" alert title={words}>
      {record.waitingFor === null
        ? 'What you wrote is still here to be copied. The run does not wait for an answer now.'
        : `What you wrote is still here. Sent, it answers the pause that the run waits at now, at v${record.waitingFor.version}.`}
    </Notice>
  );
}
