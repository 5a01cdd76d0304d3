import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { useToast } from '#components/ui/toaster.tsx';
import { UNDO_MS, useSendAt } from '#components/ui/use-send-at.ts';
import type { PendingPromotion } from '#lib/assignments/schema.ts';
import type { LessonVerdict } from '#lib/core/lesson-library.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import type { Problem, Result } from '#lib/core/problem.ts';
import type { GivenReview } from '#lib/lessons/review-lesson.ts';

/** What is said of a lesson, and what it was when it was said. */
export type SaidVerdict = {
  lessonId: string;
  title: string;
  verdict: LessonVerdict;
  reason: string;
  seen: LessonStatus;
  /** How many edits the text had that was read. */
  editCount: number;
  /** How many votes against it were read: a promotion that names fewer than there are is asked to confirm. */
  objectionsSeen: number;
};
/** A verdict that is not sent yet; `sendsAt` is epoch, ms. */
export type HeldVerdict = SaidVerdict & { sendsAt: number };

type ReviewLesson = (lessonId: string, input: unknown) => Promise<Result<GivenReview>>;

type HeldVerdictOptions = {
  review: ReviewLesson;
  onSent: (said: SaidVerdict) => void;
  /** The promotion waits for a confirmation or another person. */
  onPending: (said: SaidVerdict, pending: PendingPromotion) => void;
  onRefused: (said: SaidVerdict, problem: Problem) => void;
};

/**
 * Holds a verdict back for a moment, in which it can be taken back; the next one sends it. Who leaves the page meanwhile has given
 * it: it is sent.
 */
export function useHeldVerdict({ review, onSent, onPending, onRefused }: HeldVerdictOptions) {
  const [held, setHeld] = useState<HeldVerdict | null>(null);
  const [sending, setSending] = useState(0);
  // Two keys may come before the page is drawn anew.
  const toast = useToast();
  const queryClient = useQueryClient();
  const latest = useRef({ held, review, onSent, onPending, onRefused, toast });
  latest.current = { held: latest.current.held, review, onSent, onPending, onRefused, toast };

  const hold = useCallback((next: HeldVerdict | null) => {
    latest.current.held = next;
    setHeld(next);
  }, []);

  /** Sends a verdict; true where nothing more is asked of the person. */
  const send = useCallback(
    async (said: SaidVerdict): Promise<boolean> => {
      setSending((count) => count + 1);
      const result = await latest.current.review(said.lessonId, inputOf(said)).catch(unreachable);
      setSending((count) => count - 1);
      if (!result.ok) latest.current.onRefused(said, result.problem);
      else if (result.value.pending === null) latest.current.onSent(said);
      else latest.current.onPending(said, result.value.pending);
      void queryClient.invalidateQueries({ queryKey: ['lesson-people', said.lessonId] });
      return result.ok && result.value.pending?.why !== 'objections';
    },
    [queryClient],
  );

  const sendNow = useCallback(async () => {
    const { held: said } = latest.current;
    if (said === null) return;
    hold(null);
    await send(said);
  }, [hold, send]);

  useSendAt(held?.sendsAt ?? null, sendNow);
  useEffect(
    () => () => {
      const { held: said, review: give, toast: tell } = latest.current;
      if (said === null) return;
      void give(said.lessonId, inputOf(said))
        .catch(unreachable)
        .then((result) => {
          if (!result.ok) tell(`Your decision on “${said.title}” was not saved. ${result.problem.message}`, 'problem');
          else if (result.value.pending !== null) tell(`“${said.title}”: ${result.value.pending.message}`, 'problem');
        });
    },
    [],
  );

  return {
    held,
    isBusy: sending > 0,
    /** Sends the one that is held, and holds this. */
    give: useCallback(
      (said: SaidVerdict) => {
        void sendNow();
        hold({ ...said, sendsAt: Date.now() + UNDO_MS });
      },
      [sendNow, hold],
    ),
    /** Sends the one that is held, and then this at once. */
    giveNow: useCallback(
      async (said: SaidVerdict) => {
        await sendNow();
        return send(said);
      },
      [sendNow, send],
    ),
    undo: useCallback(() => {
      const { held: said } = latest.current;
      hold(null);
      return said;
    }, [hold]),
    sendNow,
  };
}

function inputOf({ verdict, reason, seen, editCount, objectionsSeen }: SaidVerdict) {
  return { verdict, reason, seen, editCount, objectionsSeen };
}

function unreachable(error: unknown): Result<never> {
  return refusalOf(error, 'Hone did not answer. The decision was not saved. Decide again.');
}
