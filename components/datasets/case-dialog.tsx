'use client';

import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { TypedInputField } from '#components/case/typed-input-field.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { FormErrors } from '#components/ui/form-errors.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Case } from '#lib/core/case.ts';
import type { Split } from '#lib/core/history.ts';
import { problemsOf } from '#lib/core/problem.ts';
import { caseDraft, readCaseDraft } from './case-draft.ts';

export type ShownCase = Case & { number: number; split: Split | null };

type CaseDialogProps = {
  /** Null for a new case. */
  edited: ShownCase | null;
  datasetId: string;
  version: number;
  onClose: () => void;
};

/** Dialog to add or edit a case. Saving creates a new version of the dataset. */
export function CaseDialog({ edited, datasetId, version, onClose }: CaseDialogProps) {
  const toast = useToast();
  const [draft, setDraft] = useState(caseDraft(edited));
  const [message, setMessage] = useState('');
  const { isBusy, problem, setProblem, submit } = useSubmit('Hone did not respond. Nothing was saved.');
  const set = (part: Partial<typeof draft>) => {
    setProblem(null);
    setDraft({ ...draft, ...part });
  };
  const errorAt = (field: string) =>
    problem?.field === field || problem?.field?.endsWith(`.${field}`) || isInside(problem?.field, field)
      ? (problem?.message ?? null)
      : null;
  const isNamed = ['input', 'reference', 'tags', 'metadata', 'criteria'].some((field) => errorAt(field) !== null);

  function send() {
    const read = readCaseDraft(draft);
    if (!read.ok) return setProblem(read.problem);
    const change =
      edited === null
        ? { add: [read.value] }
        : { change: [{ number: edited.number, criteria: null, ...read.value }], version };
    const body = { ...change, ...(message.trim() === '' ? {} : { message }) };
    submit(submitApi('PATCH /api/v1/datasets/{id}', { params: { id: datasetId }, body }), () => {
      toast(edited === null ? 'Case added' : `Case ${edited.number} saved`);
      onClose();
    });
  }

  return (
    <Dialog
      open
      isWide
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={edited === null ? 'New case' : `Case ${edited.number}`}
      description="Existing runs and older versions of the dataset do not change."
    >
      <div className="flex flex-col gap-3">
        <FormErrors problems={problemsOf(problem)}>
          <TypedInputField
            value={draft}
            path={edited === null ? 'add.0.input' : 'change.0.input'}
            error={problem?.field === 'input' ? problem.message : null}
            onChange={set}
          />
        </FormErrors>
        <Field label="Reference" help="The expected answer. Leave empty for none." error={errorAt('reference')}>
          <Textarea rows={2} value={draft.reference} onValue={(reference) => set({ reference })} />
        </Field>
        <Field
          label="Tags"
          help="Comma-separated. The tag train, validation or held_out assigns the case to that split."
          error={errorAt('tags')}
        >
          <Input value={draft.tags} onValue={(tags) => set({ tags })} />
        </Field>
        <Field
          label="Metadata"
          help="A JSON object. Prompts can use {{metadata.name}}. In tuning, weight sets how much the case counts."
          error={errorAt('metadata')}
        >
          <Textarea
            rows={2}
            className="font-mono text-code"
            spellCheck={false}
            value={draft.metadata}
            onValue={(metadata) => set({ metadata })}
          />
        </Field>
        <Field
          label="Criteria of this case"
          help={
            <>
              A JSON object. <code>change</code> turns criteria of the experiment off or sets their threshold and
              weight. <code>add</code> lists additional criteria. Leave empty to use the criteria of the experiment.
            </>
          }
          error={errorAt('criteria')}
        >
          <Textarea
            rows={draft.criteria === '' ? 2 : 8}
            className="font-mono text-code"
            spellCheck={false}
            placeholder={CRITERIA_EXAMPLE}
            value={draft.criteria}
            onValue={(criteria) => set({ criteria })}
          />
        </Field>
        <Field label="Reason for the change">
          <Input value={message} maxLength={500} onValue={setMessage} />
        </Field>
        <DialogFoot
          action={edited === null ? 'Add case' : 'Save case'}
          busy="Saving"
          isBusy={isBusy}
          onAction={send}
          onCancel={onClose}
          problem={problem && !isNamed ? { title: 'Not saved', message: problem.message } : null}
        />
      </div>
    </Dialog>
  );
}

const CRITERIA_EXAMPLE = '{"change": {"clarity": {"enabled": false}, "exact": {"threshold": 0.5}}}';

/** True if a field path of the request is nested in a form field, such as `change.0.criteria.add.0.config.pattern`. */
function isInside(field: string | null | undefined, of: string): boolean {
  return /^(?:add|change)\.\d+\.(\w+)\./.exec(field ?? '')?.[1] === of;
}
