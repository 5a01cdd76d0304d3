'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useEffect, useState, useTransition } from 'react';
import { problemAt, refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';
import { type LessonDraft, lessonOf, NEW_LESSON } from './lesson-draft.ts';
import { focusWrongField, isShownAtField, LessonFormFields } from './lesson-form-fields.tsx';

type AddLessonProps = { add: (input: unknown) => Promise<Result<{ id: string }>> };

/** A lesson written by hand. It comes before the reviewers like any other. */
export function AddLesson({ add }: AddLessonProps) {
  const router = useRouter();
  const toast = useToast();
  const [draft, setDraft] = useState<LessonDraft>(NEW_LESSON);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();
  useEffect(() => {
    if (problem !== null) focusWrongField();
  }, [problem]);

  function send(event: FormEvent) {
    event.preventDefault();
    const block = draft.block.trim();
    startSaving(async () => {
      const result = await add({
        kind: draft.kind,
        ...lessonOf(draft),
        ...(block === '' ? {} : { block }),
      }).catch((error: unknown) => refusalOf(error, 'Hone did not answer. Nothing was saved. Try again.'));
      if (!result.ok) return setProblem(result.problem);
      toast('Lesson added as a candidate');
      router.push(`/lessons/${result.value.id}`);
    });
  }

  return (
    <form className="flex max-w-200 flex-col gap-4" onSubmit={send} noValidate>
      <LessonFormFields
        draft={draft}
        change={(changes) => setDraft((current) => ({ ...current, ...changes }))}
        errorAt={(path) => problemAt(problem, path)}
        isNew
      />
      {problem !== null && !isShownAtField(draft.kind, problem) ? (
        <Notice tone="worse" alert title={problem.message} />
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" size="large" disabled={isSaving}>
          {isSaving ? 'Storing' : 'Add lesson'}
        </Button>
        <span className="text-ink-2 text-sm">
          Hone redacts secrets and personal data, then screens the lesson. It then waits for review.
        </span>
      </div>
    </form>
  );
}
