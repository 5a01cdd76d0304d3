'use client';

import { useState, useTransition } from 'react';
import { refusalOf } from '#components/team/refusal-of.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Problem } from '#lib/reflection/problem.ts';
import { caseDraft, readCaseDraft } from './case-draft.ts';
import type { EditDataset, ShownCase } from './cases-table.tsx';

type CaseDialogProps = {
  /** null: a new case. */
  edited: ShownCase | null;
  /** The latest version, as the page shows it. */
  version: number;
  save: EditDataset;
  onClose: () => void;
};

/** A case to be written or changed. What is stored is a new version of the dataset. */
export function CaseDialog({ edited, version, save, onClose }: CaseDialogProps) {
  const toast = useToast();
  const [draft, setDraft] = useState(caseDraft(edited));
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();
  const set = (part: Partial<typeof draft>) => {
    setProblem(null);
    setDraft({ ...draft, ...part });
  };
  const errorAt = (field: string) =>
    problem?.field === field || problem?.field?.endsWith(`.${field}`) ? problem.message : null;
  const isNamed = ['input', 'reference', 'tags', 'metadata'].some((field) => errorAt(field) !== null);

  function send() {
    const read = readCaseDraft(draft);
    if (!read.ok) return setProblem(read.problem);
    const change =
      edited === null ? { add: [read.value] } : { change: [{ number: edited.number, ...read.value }], version };
    startSaving(async () => {
      const result = await save({ ...change, ...(message.trim() === '' ? {} : { message }) }).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing was stored.'),
      );
      if (!result.ok) return setProblem(result.problem);
      toast(edited === null ? 'Case added' : `Case ${edited.number} stored`);
      onClose();
    });
  }

  return (
    <Dialog
      open
      isWide
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={edited === null ? 'New case' : `Case ${edited.number}`}
      description="Runs keep the cases they ran on; older versions of the dataset stay as they were."
    >
      <div className="stack gap-3">
        <Field label="Input" error={errorAt('input')}>
          <Textarea rows={5} value={draft.input} onChange={(event) => set({ input: event.target.value })} />
        </Field>
        <Field
          label="Reference"
          help="The right answer, for evaluators only; empty for none"
          error={errorAt('reference')}
        >
          <Textarea rows={2} value={draft.reference} onChange={(event) => set({ reference: event.target.value })} />
        </Field>
        <Field
          label="Tags"
          help="Parted by commas. One of train, validation and held_out says what the case is for"
          error={errorAt('tags')}
        >
          <Input value={draft.tags} onChange={(event) => set({ tags: event.target.value })} />
        </Field>
        <Field label="Metadata" help="A JSON object; prompts get it as {{metadata.name}}" error={errorAt('metadata')}>
          <Textarea
            rows={2}
            className="mono"
            spellCheck={false}
            value={draft.metadata}
            onChange={(event) => set({ metadata: event.target.value })}
          />
        </Field>
        <Field label="Why, for the history">
          <Input value={message} maxLength={500} onChange={(event) => setMessage(event.target.value)} />
        </Field>
        <DialogFoot
          action={edited === null ? 'Add the case' : 'Store the case'}
          busy="Storing"
          isBusy={isSaving}
          isReady
          onAction={send}
          onCancel={onClose}
          problem={problem && !isNamed ? { title: 'Not stored.', message: problem.message } : null}
        />
      </div>
    </Dialog>
  );
}
