'use client';

import { Save } from 'lucide-react';
import { useState, useTransition } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { DatasetSelect } from '#components/datasets/dataset-select.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { FormErrors } from '#components/ui/form-errors.tsx';
import { type Problem, problemsOf, type Result } from '#lib/core/problem.ts';
import { PromptNameField } from './prompt-name-field.tsx';
import type { SetupChoices } from './setup-window.tsx';

type SavePromptProps = {
  datasets: SetupChoices['datasets'];
  isEmpty: boolean;
  save: (entries: { name: string; message: string; datasetId: string | null }) => Promise<Result<unknown>>;
};

/** Fields that the dialog shows errors at. */
const FIELDS = ['name', 'message', 'setup.datasetId'];

/** Saves a new prompt: asks for its name. */
export function SavePrompt({ datasets, isEmpty, save }: SavePromptProps) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [message, setMessage] = useState('');
  const [datasetId, setDatasetId] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();
  const problems = problemsOf(problem);
  const other = problems.find(({ field }) => !FIELDS.includes(field ?? ''));

  function send() {
    startSaving(async () => {
      const saved = await save({ name, message, datasetId: datasetId === '' ? null : datasetId }).catch(
        (error: unknown) => refusalOf(error, 'Hone did not answer. Check the list of prompts before you try again.'),
      );
      setProblem(saved.ok ? null : saved.problem);
    });
  }
  return (
    <>
      <MayButton
        needs="editor"
        disabled={isEmpty}
        title={isEmpty ? 'Write a prompt first' : undefined}
        onClick={() => {
          setProblem(null);
          setOpen(true);
        }}
      >
        <Save className="size-3.25" aria-hidden />
        Save prompt
      </MayButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Save prompt"
        description="Saved as version 1, with its models and checks."
      >
        <FormErrors problems={problems}>
          <div className="flex flex-col gap-4">
            <PromptNameField value={name} onChange={setName} />
            <Field label="Message" help="Describes this version. Default: First version" path="message">
              <Input value={message} maxLength={300} onChange={(event) => setMessage(event.target.value)} />
            </Field>
            <Field label="Dataset" help="For evaluation. You can choose it later." path="setup.datasetId">
              <DatasetSelect datasets={datasets} value={datasetId} onChange={setDatasetId} none="None" />
            </Field>
            <DialogFoot
              action="Save"
              busy="Saving"
              isBusy={isSaving}
              isReady
              onAction={send}
              onCancel={() => setOpen(false)}
              problem={other === undefined ? null : { title: 'Not saved', message: other.message }}
            />
          </div>
        </FormErrors>
      </Dialog>
    </>
  );
}
