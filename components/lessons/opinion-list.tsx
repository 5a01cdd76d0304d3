import { Check, X } from 'lucide-react';
import Link from 'next/link';
import type { LessonOpinion, LessonPeople } from '#lib/assignments/schema.ts';
import { formatAgo, formatMoment } from '#lib/format.ts';
import { opinionLabel } from './opinion-labels.ts';

/** What reviewers think of a lesson, where it may be seen, and how far they agree. */
export function OpinionList({ people: { given, opinions, older }, now }: { people: LessonPeople; now: Date }) {
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
