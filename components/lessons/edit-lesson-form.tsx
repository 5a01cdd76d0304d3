'use client';

import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { ModalDialog } from '#components/ui/modal-dialog.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { type LessonDraft, lessonOf, toLessonDraft } from './lesson-draft.ts';
import { isShownAtField, LessonFormFields } from './lesson-form.tsx';

type EditLessonProps = {
  lesson: LessonDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onEdited: () => void;
};

/** Form to edit a lesson. The previous text is kept, and the new text is redacted and screened again. */
export function EditLesson({ lesson, open, onOpenChange, onEdited }: EditLessonProps) {
  return (
    <ModalDialog
      open={open}
      onOpenChange={onOpenChange}
      isWide
      title="Edit lesson"
      description="The previous text stays in the history. Your text is redacted and screened again."
    >
      <EditForm
        lesson={lesson}
        onCancel={() => onOpenChange(false)}
        onEdited={() => {
          onOpenChange(false);
          onEdited();
        }}
      />
    </ModalDialog>
  );
}

type EditFormProps = Pick<EditLessonProps, 'lesson' | 'onEdited'> & { onCancel: () => void };

function EditForm({ lesson, onCancel, onEdited }: EditFormProps) {
  // Lesson as it was when the form opened. The edit names it, so that unseen changes are not overwritten.
  const [opened] = useState(lesson);
  const [draft, setDraft] = useState<LessonDraft>(() => toLessonDraft(lesson));
  const [reason, setReason] = useState('');
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was changed. Try again.');

  function send() {
    const body = { ...lessonOf(draft), editCount: opened.editCount, reason: reason.trim() };
    submit(submitApi('PATCH /api/v1/lessons/{id}', { params: { id: opened.id }, body }), onEdited);
  }

  return (
    <SubmitForm className="flex flex-col gap-4" onSubmit={send}>
      <LessonFormFields
        draft={draft}
        change={(changes) => setDraft((current) => ({ ...current, ...changes }))}
        errorAt={errorAt}
        isNew={false}
      />
      <Field label="Reason" help="Optional. Shown in the history." error={errorAt('reason')}>
        <Input value={reason} maxLength={2_000} onValue={setReason} />
      </Field>
      <DialogFoot
        action="Save edit"
        busy="Saving"
        isBusy={isBusy}
        onCancel={onCancel}
        problem={
          problem !== null && problem.field !== 'reason' && !isShownAtField(lesson.kind, problem)
            ? { title: problem.message }
            : null
        }
      />
    </SubmitForm>
  );
}
