import { type FormEvent, useState, useTransition } from 'react';
import { OnlyFor } from '#components/access/only-for.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { TimelineItem } from '#components/ui/timeline.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatAgo, formatMoment } from '#lib/format.ts';
import { CommentTools } from './comment-tools.tsx';
import { type TalkEntry, talkEntries } from './talk-entries.ts';
import { useLessonPeople } from './use-lesson-people.ts';

export type CommentOnLesson = (text: string) => Promise<Result<unknown>>;

type LessonTalkProps = { lesson: LessonDetail; now: Date; comment: CommentOnLesson };

/** Reviews, edits and comments in one course, latest first, and a line to say something. */
export function LessonTalk({ lesson, now, comment }: LessonTalkProps) {
  const own = useLessonPeople(lesson).people?.ownComments ?? [];
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, startSending] = useTransition();
  function send(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '') return setError('write what you have to say');
    startSending(async () => {
      const result = await comment(text.trim()).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. The comment was not stored.'),
      );
      setError(result.ok ? null : result.problem.message);
      if (result.ok) setText('');
    });
  }
  return (
    <Pane data-testid="lesson-talk">
      <PaneHeader>
        <h2>Reviews and comments</h2>
      </PaneHeader>
      <OnlyFor needs="reviewer">
        <form className="mb-3 flex items-start gap-2" onSubmit={send} noValidate>
          <Field label="Comment" hideLabel error={error} className="min-w-0 flex-1">
            <Input placeholder="Comment" value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
          <Button type="submit" disabled={isSending}>
            {isSending ? 'Storing' : 'Say it'}
          </Button>
        </form>
      </OnlyFor>
      <ol>
        {talkEntries(lesson).map((entry) => (
          <TimelineItem key={entry.key} isPerson={entry.who !== null}>
            {entry.who === null ? (
              <span className="text-ink-2">{entry.words}</span>
            ) : (
              <span className="wrap-anywhere">
                <b className="font-medium">{entry.who}</b> {entry.words}
              </span>
            )}{' '}
            <time className="text-ink-3" title={formatMoment(entry.at)}>
              {formatAgo(entry.at, now)}
            </time>
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
