import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi, submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { TimelineItem } from '#components/ui/timeline.tsx';
import type { LessonOpinion } from '#lib/assignments/queries.ts';
import type { LessonComment, LessonDetail } from '#lib/core/lesson-library.ts';
import { formatTitle } from '#lib/format.ts';
import { VERDICT_LABELS, VOTE_LABELS } from './lesson-labels.ts';
import { useLessonPeople } from './lesson-people.tsx';

/** Timeline of votes, reviews, edits and comments, newest first, with a comment form. */
export function LessonTimeline({ lesson }: { lesson: LessonDetail }) {
  const queryClient = useQueryClient();
  const { people } = useLessonPeople(lesson);
  const ownComments = people?.ownComments ?? [];
  const votes = [...(people?.opinions ?? []), ...(people?.older ?? [])];
  const [text, setText] = useState('');
  const { isBusy, problem, setProblem, submit } = useSubmit('Hone did not respond. The comment was not saved.');
  function send() {
    if (text.trim() === '') return setProblem({ code: 'invalid', message: 'enter a comment', field: null });
    const { id } = lesson;
    submit(submitApi('POST /api/v1/lessons/{id}/comments', { params: { id }, body: { text: text.trim() } }), () => {
      setText('');
      return queryClient.invalidateQueries({ queryKey: ['lesson', id] });
    });
  }
  return (
    <Pane data-testid="lesson-talk">
      <PaneHeader title="Votes, reviews and comments" />
      <RoleGate needs="reviewer">
        <SubmitForm className="mb-3 flex items-start gap-2" onSubmit={send}>
          <Field label="Comment" hideLabel error={problem?.message ?? null} className="min-w-0 flex-1">
            <Input placeholder="Comment" value={text} onValue={setText} />
          </Field>
          <Button type="submit" disabled={isBusy}>
            {isBusy ? 'Saving' : 'Comment'}
          </Button>
        </SubmitForm>
      </RoleGate>
      <ol>
        {listTimelineEntries(lesson, votes).map((entry) => (
          <TimelineItem key={entry.key} isPerson={entry.who !== null}>
            {entry.who === null ? (
              <span className="text-ink-2">{entry.label}</span>
            ) : (
              <span className="wrap-anywhere">
                <b className="font-medium">{entry.who}</b> {entry.label}
              </span>
            )}{' '}
            <span className="text-ink-3">
              <TimeAgo moment={entry.at} />
            </span>
            <TimelineEntry lesson={lesson} entry={entry} ownComments={ownComments} />
          </TimelineItem>
        ))}
      </ol>
    </Pane>
  );
}

/** Renders an entry of the timeline. Comments include the actions of their author. */
function TimelineEntry({
  lesson,
  entry,
  ownComments,
}: {
  lesson: LessonDetail;
  entry: LessonTimelineEntry;
  ownComments: readonly string[];
}) {
  const comment = lesson.comments.find(({ id }) => entry.key === `comment ${id}`);
  if (comment !== undefined)
    return <CommentTools lessonId={lesson.id} comment={comment} isMine={ownComments.includes(comment.id)} />;
  return entry.text === null ? null : <p className="wrap-anywhere whitespace-pre-wrap">{entry.text}</p>;
}

/** Text of a comment. Its author can edit and delete it; owners can delete it. */
function CommentTools({ lessonId, comment, isMine }: { lessonId: string; comment: LessonComment; isMine: boolean }) {
  const queryClient = useQueryClient();
  const { may } = useRoleAccess('reviewer');
  const { may: isOwner } = useRoleAccess('owner');
  const [draft, setDraft] = useState<string | null>(null);
  const { isBusy, problem, setProblem, settle, submitWithToast } = useSubmit();
  const params = { id: lessonId, commentId: comment.id };
  const title = formatTitle(comment.text, 40);
  const changed = () => queryClient.invalidateQueries({ queryKey: ['lesson', lessonId] });
  function save() {
    const body = { text: draft ?? '' };
    settle(callApi('PATCH /api/v1/lessons/{id}/comments/{commentId}', { params, body }), (result) => {
      setProblem(result.ok ? null : result.problem);
      if (result.ok) setDraft(null);
      return changed();
    });
  }
  if (draft !== null)
    return (
      <SubmitForm className="flex items-start gap-2" onSubmit={save}>
        <Field label="Edit comment" hideLabel error={problem?.message ?? null} className="min-w-0 flex-1">
          <Input value={draft} maxLength={10_000} onValue={setDraft} />
        </Field>
        <Button type="submit" size="small" disabled={isBusy}>
          Save
        </Button>
        <Button variant="ghost" size="small" onClick={() => setDraft(null)}>
          Cancel
        </Button>
      </SubmitForm>
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
          <Button
            variant="ghost"
            size="small"
            disabled={isBusy}
            onClick={() =>
              submitWithToast(
                callApi('DELETE /api/v1/lessons/{id}/comments/{commentId}', { params }),
                'Comment deleted',
                changed,
              )
            }
          >
            Delete<span className="sr-only"> the comment {title}</span>
          </Button>
        </span>
      ) : null}
    </>
  );
}

/** Timeline entry of a person or of Hone. `text`: their comment or reason. */
type LessonTimelineEntry = { key: string; who: string | null; label: string; text: string | null; at: string };

type Talk = Pick<LessonDetail, 'reviews' | 'comments' | 'edits' | 'createdAt' | 'editCount'>;

/** Returns the timeline of a lesson, newest first. `votes`: the visible ones. A vote that came with a review decision is not repeated. */
export function listTimelineEntries(lesson: Talk, votes: readonly LessonOpinion[]): LessonTimelineEntry[] {
  const entries: LessonTimelineEntry[] = [
    ...lesson.reviews.map(({ number, verdict, reason, actor, createdAt }) => ({
      key: `review ${number}`,
      who: actor,
      label: VERDICT_LABELS[verdict].done,
      text: reason === '' ? null : reason,
      at: createdAt,
    })),
    ...votes
      .filter(({ actor, createdAt }) => !lesson.reviews.some((it) => it.actor === actor && it.createdAt === createdAt))
      .map(({ actor, isMine, verdict, reason, editCount, createdAt }) => ({
        key: `vote ${actor} ${editCount}`,
        who: isMine ? 'You' : actor,
        label: `${VOTE_LABELS[verdict].done}${editCount < lesson.editCount ? ', an earlier text: it does not count' : ''}`,
        text: reason,
        at: createdAt,
      })),
    ...lesson.comments.map(({ id, actor, text, createdAt }) => ({
      key: `comment ${id}`,
      who: actor,
      label: 'commented',
      text,
      at: createdAt,
    })),
    ...lesson.edits.map(({ number, actor, createdAt }) => ({
      key: `edit ${number}`,
      who: actor,
      label: 'edited',
      text: null,
      at: createdAt,
    })),
    { key: 'stored', who: null, label: 'Stored as a candidate', text: null, at: lesson.createdAt },
  ];
  return entries.toSorted((a, b) => b.at.localeCompare(a.at));
}
