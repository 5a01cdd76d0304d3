'use client';

import type { RunRecord, VersionRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
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

/** The questions that a decision asks before it is made, each of the chosen version. */
export function RunDialogs({ record, version, settings, decisions, open, onOpen }: RunDialogsProps) {
  const { number, output } = version;
  const dialog = (name: RunDialog) => ({
    open: open === name,
    onOpenChange: (isOpen: boolean) => onOpen(isOpen ? name : null),
    version: number,
  });
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
        onSend={(text) => {
          onOpen(null);
          decisions.proposeEdit(number, text);
        }}
      />
    </>
  );
}
