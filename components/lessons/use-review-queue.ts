import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { WAITING_COUNT } from '#components/shell/use-waiting-count.ts';
import type { LessonListItem } from '#lib/reflection/lesson-library.ts';
import type { Problem } from '#lib/reflection/problem.ts';
import type { LessonActions } from './lesson-actions.ts';
import { type SaidVerdict, useHeldVerdict } from './use-held-verdict.ts';

/** How many are shown of what was decided here. */
const MOST_SHOWN = 5;

/** A verdict that was stored, and when. */
export type DecidedLesson = SaidVerdict & { at: string };

/**
 * The lessons that wait for a review, less those a verdict was given on here: it is held back for a moment, sent, and remembered; one
 * that is taken back or refused brings its lesson back.
 */
export function useReviewQueue(queue: readonly LessonListItem[], review: LessonActions['review']) {
  const queryClient = useQueryClient();
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const [decided, setDecided] = useState<{ latest: DecidedLesson[]; count: number }>({ latest: [], count: 0 });
  const [refused, setRefused] = useState<{ said: SaidVerdict; problem: Problem } | null>(null);
  // Two keys may come before the page is drawn anew.
  const latestDone = useRef(done);

  function setIsDone(lessonId: string, isDone: boolean) {
    const next = new Set(latestDone.current);
    if (isDone) next.add(lessonId);
    else next.delete(lessonId);
    latestDone.current = next;
    setDone(next);
  }

  const { held, isBusy, give, undo, sendNow } = useHeldVerdict({
    review,
    onSent: (said) => {
      setDecided(({ latest, count }) => ({
        latest: [{ ...said, at: new Date().toISOString() }, ...latest].slice(0, MOST_SHOWN),
        count: count + 1,
      }));
      void queryClient.invalidateQueries({ queryKey: WAITING_COUNT });
      void queryClient.invalidateQueries({ queryKey: ['lesson', said.lessonId] });
    },
    onRefused: (said, problem) => {
      setIsDone(said.lessonId, false);
      setRefused({ said, problem });
      void queryClient.invalidateQueries({ queryKey: ['lesson', said.lessonId] });
    },
  });

  return {
    lessons: queue.filter(({ id }) => !done.has(id)),
    held,
    isBusy,
    decided,
    refused,
    forgetRefused: () => setRefused(null),
    give: (said: SaidVerdict) => {
      setIsDone(said.lessonId, true);
      setRefused(null);
      give(said);
    },
    /** Takes the held verdict back and answers what it was. */
    undo: () => {
      const said = undo();
      if (said !== null) setIsDone(said.lessonId, false);
      return said;
    },
    sendNow,
  };
}
