'use client';

import { type FormEvent, useEffect, useState, useTransition } from 'react';
import { problemAt, refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import type { Problem, Result } from '#lib/core/problem.ts';
import { type LessonDraft, lessonOf, toLessonDraft } from './lesson-draft.ts';
import { focusWrongField, isShownAtField, LessonFormFields } from './lesson-form-fields.tsx';

type EditLessonAction = (lessonId: string, input: unknown) => Promise<Result<unknown>>;

type EditLessonProps = {
  lesson: LessonDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  edit: EditLessonAction;
  onEdited: () => void;
};

/** A lesson to be changed by hand, in its own form. The text before is kept; what is changed is redacted and screened anew. */
export function EditLesson({ lesson, open, onOpenChange, edit, onEdited }: EditLessonProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      isWide
      title="Edit lesson"
      description="The previous text stays in the history. Your text is redacted and screened again."
    >
      <EditForm
        lesson={lesson}
        edit={edit}
        onCancel={() => onOpenChange(false)}
        onEdited={() => {
          onOpenChange(false);
          onEdited();
        }}
      />
    </Dialog>
  );
}

type EditFormProps = Pick<EditLessonProps, 'lesson' | 'edit' | 'onEdited'> & { onCancel: () => void };

function EditForm({ lesson, edit, onCancel, onEdited }: EditFormProps) {
  // What the lesson was when the form was opened: an edit names it, so that nothing unseen is written over.
  const [opened] = useState(lesson);
  const [draft, setDraft] = useState<LessonDraft>(() => toLessonDraft(lesson));
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();
  useEffect(() => {
    if (problem !== null) focusWrongField();
  }, [problem]);

  function send(event: FormEvent) {
    event.preventDefault();
    startSaving(async () => {
      const result = await edit(opened.id, {
        ...lessonOf(draft),
        editCount: opened.editCount,
        reason: reason.trim(),
      }).catch((error: unknown) => refusalOf(error, 'Hone did not answer. Nothing was changed. Try again.'));
      if (result.ok) onEdited();
      else setProblem(result.problem);
    });
  }

  return (
    <form className="flex flex-col gap-4" onSubmit={send} noValidate>
      <LessonFormFields
        draft={draft}
        change={(changes) => setDraft((current) => ({ ...current, ...changes }))}
        errorAt={(path) => problemAt(problem, path)}
        isNew={false}
      />
      <Field label="Reason" help="Optional. Shown in the history." error={problemAt(problem, 'reason')}>
        <Input value={reason} maxLength={2_000} onChange={(event) => setReason(event.target.value)} />
      </Field>
      {problem !== null && problem.field !== 'reason' && !isShownAtField(lesson.kind, problem) ? (
        <Notice tone="worse" alert title={problem.message} />
      ) : null}
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" disabled={isSaving}>
          {isSaving ? 'Storing' : 'Save edit'}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
