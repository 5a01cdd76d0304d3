import Link from 'next/link';
import type { CaseResult } from '#lib/compare/schema.ts';
import { formatList, formatTitle } from '#lib/format.ts';

const MOST_NAMED = 3;

/** The lessons a run was given, each with the versions it was given for; nothing where it was given none. */
export function RecalledLessons({ letter, result }: { letter: string; result: CaseResult | null }) {
  if (result === null || result.recalled.length === 0) return null;
  const more = result.recalled.length - MOST_NAMED;
  return (
    <ul className="mt-3 text-ink-2 text-sm" aria-label={`Lessons ${letter} was given`}>
      {result.recalled.slice(0, MOST_NAMED).map(({ lessonId, text, versions, isOwn }) => (
        <li key={lessonId} className="wrap-anywhere mb-1">
          {letter} {isOwn ? 'went by its own lesson' : 'recalled'} “{formatTitle(text, 120)}” for{' '}
          {formatList(versions.map((version) => `v${version}`))}.{' '}
          <Link className="link" href={`/lessons/${lessonId}`}>
            Open the lesson
          </Link>
        </li>
      ))}
      {more > 0 ? <li>and {more} more</li> : null}
    </ul>
  );
}
