import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readApi } from '#components/api/call-api.ts';
import { LessonEffect } from '#components/lessons/lesson-effect.tsx';
import { LessonStatus } from '#components/lessons/lesson-head.tsx';
import { kindLabel } from '#components/lessons/lesson-labels.ts';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { LongText } from '#components/ui/long-text.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { formatCount, formatScore } from '#lib/format.ts';
import type { RunLessons } from '#lib/runs/schema.ts';

type LessonsPaneProps = { record: RunRecord; version: VersionRecord | null; lessons: RunLessons };

/** Shows the lessons in the prompt of the chosen version (null if there is none) with their effect, and all lessons the run wrote. */
export function LessonsPane({ record, version, lessons }: LessonsPaneProps) {
  const given = version?.recalledLessons ?? [];
  const recalled = lessons.recalled.filter((lesson) => lesson.version === version?.number);
  const inPrompt = new Set(recalled.map(({ lessonId }) => lessonId));
  const written = writtenLessons(record, lessons);
  const deletedCount = given.length - recalled.length;
  const [isAll, setAll] = useState(false);
  const shown = isAll ? written : written.slice(0, INITIAL_LESSON_COUNT);
  if (written.length === 0 && given.length === 0) return null;
  return (
    <Pane className="max-medium:order-6" data-testid="run-lessons">
      {version === null ? null : (
        <PaneHeader>
          <h2>Lessons in the prompt of v{version.number}</h2>
          <span className="text-ink-3 text-sm">
            {given.length === 0 ? 'none' : sourceLabel(recalled)}
            {deletedCount > 0 && recalled.length > 0 ? `, ${deletedCount} deleted` : ''}
          </span>
        </PaneHeader>
      )}
      {recalled.length === 0 ? null : (
        <ol className="flex flex-col gap-3">
          {recalled.map(({ lessonId, rank, kind, text, score, effect, isOwn }) => (
            <li key={`${rank} ${lessonId}`} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2">
              <span className="text-ink-3">{rank}</span>
              <div className="min-w-0">
                <LongText text={text} of="the lesson" className="prose" />
                <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-ink-3 text-sm">
                  <span className="font-mono text-xs">{kindLabel(kind)}</span>
                  <Link className="link" href={`/lessons/${lessonId}`}>
                    {isOwn ? 'its own' : 'from the library'}
                  </Link>
                  {score === null ? null : <span>fits {formatScore(score)}</span>}
                  <LessonEffect effect={effect} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
      <PaneHeader className={recalled.length > 0 ? 'mt-4' : undefined}>
        <h2>Lessons written</h2>
        <span className="text-ink-3 text-sm">{written.length}</span>
      </PaneHeader>
      {written.length === 0 ? null : (
        <ol className="flex flex-col gap-3">
          {shown.map(({ id, kind, version: after, text, standing }) => (
            <li key={id}>
              {inPrompt.has(id) ? (
                <p className="text-ink-2 text-sm">
                  “{text.length > 90 ? `${text.slice(0, 89).trimEnd()}…` : text}” is listed above.
                </p>
              ) : (
                <LongText text={text} of="the lesson" className="prose" />
              )}
              <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3 text-sm">
                {after === null || version === null ? null : <span>after v{after}</span>}
                <span className="font-mono text-xs">{kindLabel(kind)}</span>
                {standing === null ? null : (
                  <>
                    <LessonStatus lesson={{ ...standing, isRefuted: false }} />
                    <Link className="link" href={`/lessons/${id}`}>
                      In the library
                    </Link>
                  </>
                )}
              </p>
            </li>
          ))}
        </ol>
      )}
      {shown.length < written.length ? (
        <Button size="small" className="mt-3" onClick={() => setAll(true)}>
          Show all {formatCount(written.length)}
        </Button>
      ) : null}
    </Pane>
  );
}

/** Number of written lessons shown initially. A run with many attempts writes one after each. */
const INITIAL_LESSON_COUNT = 10;

const HELD = { status: 'candidate', admission: 'held', mergedIntoId: null } as const;

/** Returns the lessons a run wrote, merged from its record and the library. `standing` is null until the library is loaded. */
function writtenLessons(record: RunRecord, { written }: RunLessons) {
  const known = new Set(written.map(({ id }) => id));
  return [
    ...written.map(({ status, admission, mergedIntoId, ...lesson }) => ({
      ...lesson,
      standing: { status, admission, mergedIntoId },
    })),
    ...record.lessons
      .filter(({ id }) => !known.has(id))
      .map((lesson) => ({
        ...lesson,
        standing: lesson.withheld ? HELD : null,
      })),
  ];
}

function sourceLabel(recalled: RunLessons['recalled']): string {
  const own = recalled.filter(({ isOwn }) => isOwn).length;
  const others = recalled.length - own;
  if (recalled.length === 0) return 'deleted';
  if (others === 0) return `${own}, all written by this run`;
  if (own === 0) return `${others}, from the library`;
  return `${own} from this run, ${others} from the library`;
}

/** Returns the lessons of a run from the library. Reloads when the run creates or evaluates a version or writes a lesson. */
export function useRunLessons(record: RunRecord, initial: RunLessons): RunLessons {
  const state = stateOf(record);
  const [initialState] = useState(state);
  const { data } = useQuery({
    queryKey: ['run-lessons', record.id, state],
    queryFn: ({ signal }) => readApi('GET /api/v1/runs/{id}/lessons', { params: { id: record.id }, signal }),
    ...(state === initialState && { initialData: initial }),
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached, so that returning to the page shows the data sent with it.
    gcTime: 0,
    placeholderData: (previous) => previous,
    retry: 1,
  });
  return data ?? initial;
}

function stateOf({ versions, lessons }: RunRecord): string {
  const evaluations = versions.reduce((sum, version) => sum + version.evaluations.length, 0);
  return `${versions.length} ${evaluations} ${lessons.length}`;
}
