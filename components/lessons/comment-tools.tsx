import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { useMay } from '#components/access/role-provider.tsx';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { LessonComment } from '#lib/core/lesson-library.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatTitle } from '#lib/format.ts';

type CommentToolsProps = { lessonId: string; comment: LessonComment; isMine: boolean };

/** The text of a comment on a lesson: its writer changes or deletes it in place, an owner may delete it too. */
export function CommentTools({ lessonId, comment, isMine }: CommentToolsProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { may } = useMay('reviewer');
  const { may: isOwner } = useMay('owner');
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, startWork] = useTransition();
  const params = { id: lessonId, commentId: comment.id };
  const title = formatTitle(comment.text, 40);
  async function changed(result: Result<unknown>) {
    await queryClient.invalidateQueries({ queryKey: ['lesson', lessonId] });
    if (result.ok) router.refresh();
  }
  function save(event: FormEvent) {
    event.preventDefault();
    startWork(async () => {
      const result = await callApi('PATCH /api/v1/lessons/{id}/comments/{commentId}', {
        params,
        body: { text: draft ?? '' },
      });
      setError(result.ok ? null : result.problem.message);
      if (result.ok) setDraft(null);
      await changed(result);
    });
  }
  function remove() {
    startWork(async () => {
      const result = await callApi('DELETE /api/v1/lessons/{id}/comments/{commentId}', { params });
      toast(result.ok ? 'Comment deleted' : result.problem.message, result.ok ? 'done' : 'problem');
      await changed(result);
    });
  }
  if (draft !== null)
    return (
      <form className="flex items-start gap-2" onSubmit={save} noValidate>
        <Field label="Change the comment" hideLabel error={error} className="min-w-0 flex-1">
          <Input value={draft} maxLength={10_000} onChange={(event) => setDraft(event.target.value)} />
        </Field>
        <Button type="submit" size="small" disabled={isBusy}>
          Keep
        </Button>
        <Button variant="ghost" size="small" onClick={() => setDraft(null)}>
          Cancel
        </Button>
      </form>
    );
  return (
    <>
      <p className="wrap-anywhere whitespace-pre-wrap">{comment.text}</p>
      {may && (isMine || isOwner) ? (
        <span className="flex items-center gap-2">
          {isMine ? (
            <Button variant="ghost" size="small" onClick={() => setDraft(comment.text)}>
              Change<span className="sr-only"> the comment {title}</span>
            </Button>
          ) : null}
          <Button variant="ghost" size="small" disabled={isBusy} onClick={remove}>
            Delete<span className="sr-only"> the comment {title}</span>
          </Button>
        </span>
      ) : null}
    </>
  );
}
