'use client';

import { Check, X } from 'lucide-react';
import Link from 'next/link';
import { useState, useTransition } from 'react';
import { usePerson } from '#components/access/role-provider.tsx';
import { callApi } from '#components/api/call-api.ts';
import { Assignees } from '#components/team/assignees.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonOpinion, LessonOpinions, LessonPeople, Opinion } from '#lib/assignments/schema.ts';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { formatAgo, formatMoment, formatNumberOf } from '#lib/format.ts';
import { opinionLabel } from './lesson-labels.ts';
import { useLessonPeople } from './use-lesson-people.ts';

/** Who was asked to judge a lesson, and what reviewers think of it, each before they see the others. Nothing in local mode. */
export function LessonPeoplePane({ lesson, now }: { lesson: LessonDetail; now: Date }) {
  const { isLocal } = usePerson();
  const { people, put } = useLessonPeople(lesson);
  if (isLocal) return null;
  return (
    <Pane aria-labelledby="people-title" data-testid="lesson-people">
      <PaneHeader>
        <h2 id="people-title">Reviewers</h2>
        {people === undefined ? null : <span className="text-ink-3 text-sm">{givenLabel(people)}</span>}
      </PaneHeader>
      {people === undefined ? (
        <p className="animate-appear text-ink-2 text-sm">Reading who is on it</p>
      ) : (
        <div className="flex flex-col gap-3">
          <Assignees subject={{ kind: 'lesson', id: lesson.id }} assignments={people} onChanged={put} />
          {people.whyNotPromote === null ? null : <p className="text-sm">{people.whyNotPromote}</p>}
          {people.mayGive ? <OpinionForm lesson={lesson} onGiven={put} /> : null}
          <OpinionList people={people} now={now} />
        </div>
      )}
    </Pane>
  );
}

function givenLabel({ given }: LessonPeople): string {
  return given === 0 ? 'no opinion on this text yet' : `${formatNumberOf(given, 'opinion')} on this text`;
}

type OpinionFormProps = {
  lesson: Pick<LessonDetail, 'id' | 'editCount'>;
  onGiven: (opinions: LessonOpinions) => void;
};

/** Asks what one would do with a lesson, before what others said is shown. */
function OpinionForm({ lesson: { id, editCount }, onGiven }: OpinionFormProps) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, startSending] = useTransition();
  function give(verdict: Opinion) {
    startSending(async () => {
      const body = { verdict, reason, editCount };
      const result = await callApi('POST /api/v1/lessons/{id}/opinions', { params: { id }, body });
      setError(result.ok ? null : result.problem.message);
      if (result.ok) onGiven(result.value);
    });
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm">
        <b className="font-medium">Would you promote it?</b>{' '}
        <span className="text-ink-2">What others said is shown once you have; your first word stands.</span>
      </legend>
      <Field label="Why, if you like" hideLabel error={error}>
        <Input
          placeholder="Why, if you like"
          maxLength={2_000}
          autoComplete="off"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" disabled={isSending} onClick={() => give('promote')}>
          I would promote it
        </Button>
        <Button size="small" disabled={isSending} onClick={() => give('reject')}>
          I would not
        </Button>
      </div>
    </fieldset>
  );
}

/** What reviewers think of a lesson, where it may be seen, and how far they agree. */
function OpinionList({ people: { given, opinions, older }, now }: { people: LessonPeople; now: Date }) {
  if (opinions === null)
    return given === 0 ? null : (
      <p className="text-ink-2 text-sm">
        What others think is shown to those who gave their own opinion, and after the verdict.
      </p>
    );
  const former = older ?? [];
  if (opinions.length === 0 && former.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      {opinions.length === 0 ? null : (
        <>
          <p className="text-sm">
            {opinionLabel(opinions)}{' '}
            <Link className="link" href="/insights#reviewers">
              How far reviewers agree
            </Link>
          </p>
          <Opinions opinions={opinions} now={now} />
        </>
      )}
      {former.length === 0 ? null : (
        <>
          <p className="text-ink-2 text-sm">Given for an older text, before an edit. These do not count:</p>
          <Opinions opinions={former} now={now} />
        </>
      )}
    </div>
  );
}

function Opinions({ opinions, now }: { opinions: readonly LessonOpinion[]; now: Date }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {opinions.map((opinion) => (
        <li key={`${opinion.actor} ${opinion.editCount}`} className="wrap-anywhere text-sm">
          <Mark verdict={opinion.verdict} /> <b className="font-medium">{opinion.isMine ? 'You' : opinion.actor}</b>{' '}
          {opinion.verdict === 'promote' ? 'would promote it' : 'would not'}{' '}
          <time className="text-ink-3" title={formatMoment(opinion.createdAt)}>
            {formatAgo(opinion.createdAt, now)}
          </time>
          {opinion.reason === null ? null : <p className="wrap-anywhere whitespace-pre-wrap">{opinion.reason}</p>}
        </li>
      ))}
    </ul>
  );
}

function Mark({ verdict }: Pick<LessonOpinion, 'verdict'>) {
  return verdict === 'promote' ? (
    <span className="text-better">
      <Check className="size-3.25" aria-hidden />
    </span>
  ) : (
    <span className="text-worse">
      <X className="size-3.25" aria-hidden />
    </span>
  );
}
