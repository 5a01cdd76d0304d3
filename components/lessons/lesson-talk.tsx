import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { OnlyFor } from '#components/access/only-for.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { useMay } from '#components/access/role-provider.tsx';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { TimelineItem } from '#components/ui/timeline.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { LessonComment, LessonDetail } from '#lib/core/lesson-library.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatTitle } from '#lib/format.ts';
import { useLessonPeople } from './lesson-people.tsx';
import { type TalkEntry, talkEntries } from './talk-entries.ts';

export type CommentOnLesson = (text: string) => Promise<Result<unknown>>;

type LessonTalkProps = { lesson: LessonDetail; now: Date; comment: CommentOnLesson };

/** Votes, reviews, edits and comments in one course, latest first, and a line to say something. */
export function LessonTalk({ lesson, now, comment }: LessonTalkProps) {
  const { people } = useLessonPeople(lesson);
  const own = people?.ownComments ?? [];
  const votes = [...(people?.opinions ?? []), ...(people?.older ?? [])];
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, startSending] = useTransition();
  function send(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '') return setError('enter a comment');
    startSending(async () => {
      const result = await comment(text.trim()).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. The comment was not saved.'),
      );
      setError(result.ok ? null : result.problem.message);
      if (result.ok) setText('');
    });
  }
  return (
    <Pane data-testid="lesson-talk">
      <PaneHeader>
        <h2>Votes, reviews and comments</h2>
      </PaneHeader>
      <OnlyFor needs="reviewer">
        <form className="mb-3 flex items-start gap-2" onSubmit={send} noValidate>
          <Field label="Comment" hideLabel error={error} className="min-w-0 flex-1">
            <Input placeholder="Comment" value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
          <Button type="submit" disabled={isSending}>
            {isSending ? 'Storing' : 'Comment'}
          </Button>
        </form>
      </OnlyFor>
      <ol>
        {talkEntries(lesson, votes).map((entry) => (
          <TimelineItem key={entry.key} isPerson={entry.who !== null}>
            {entry.who === null ? (
              <span className="text-ink-2">{entry.words}</span>
            ) : (
              <span className="wrap-anywhere">
                <b className="font-medium">{entry.who}</b> {entry.words}
              </span>
            )}{' '}
            <span className="text-ink-3">
              <TimeAgo moment={entry.at} now={now.toISOString()} />
            </span>
            <Said lesson={lesson} entry={entry} own={own} />
          </TimelineItem>
        ))}
      </ol>
    </Pane>
  );
}

/** What somebody said: of a comment with what its writer can do about it. */
function Said({ lesson, entry, own }: { lesson: LessonDetail; entry: TalkEntry; own: readonly string[] }) {
  const comment = lesson.comments.find(({ id }) => entry.key === `comment ${id}`);
  if (comment !== undefined)
    return <CommentTools lessonId={lesson.id} comment={comment} isMine={own.includes(comment.id)} />;
  return entry.text === null ? null : <p className="wrap-anywhere whitespace-pre-wrap">{entry.text}</p>;
}

type CommentToolsProps = { lessonId: string; comment: LessonComment; isMine: boolean };

/** The text of a comment on a lesson: its writer changes or deletes it in place, an owner may delete it too. */
function CommentTools({ lessonId, comment, isMine }: CommentToolsProps) {
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
        <Field label="Edit comment" hideLabel error={error} className="min-w-0 flex-1">
          <Input value={draft} maxLength={10_000} onChange={(event) => setDraft(event.target.value)} />
        </Field>
        <Button type="submit" size="small" disabled={isBusy}>
          Save
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
