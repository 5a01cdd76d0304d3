import { useCallback, useEffect, useRef, useState } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { useToast } from '#components/ui/toaster.tsx';
import { UNDO_MS, useSendAt } from '#components/ui/use-send-at.ts';
import type { LessonVerdict } from '#lib/core/lesson-library.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import type { Problem, Result } from '#lib/core/problem.ts';

/** What is said of a lesson, and what it was when it was said. */
export type SaidVerdict = {
  lessonId: string;
  title: string;
  verdict: LessonVerdict;
  reason: string;
  seen: LessonStatus;
  /** How many edits the text had that was read. */
  editCount: number;
};
/** A verdict that is not sent yet; `sendsAt` is epoch, ms. */
export type HeldVerdict = SaidVerdict & { sendsAt: number };

export type ReviewLesson = (lessonId: string, input: unknown) => Promise<Result<unknown>>;

type HeldVerdictOptions = {
  review: ReviewLesson;
  onSent: (said: SaidVerdict) => void;
  onRefused: (said: SaidVerdict, problem: Problem) => void;
};

/**
 * Holds a verdict back for a moment, in which it can be taken back; the next one sends it. Who leaves the page meanwhile has given
 * it: it is sent.
 */
export function useHeldVerdict({ review, onSent, onRefused }: HeldVerdictOptions) {
  const [held, setHeld] = useState<HeldVerdict | null>(null);
  const [sending, setSending] = useState(0);
  // Two keys may come before the page is drawn anew.
  const toast = useToast();
  const latest = useRef({ held, review, onSent, onRefused, toast });
  latest.current = { held: latest.current.held, review, onSent, onRefused, toast };

  const hold = useCallback((next: HeldVerdict | null) => {
    latest.current.held = next;
    setHeld(next);
  }, []);

  const sendNow = useCallback(async () => {
    const { held: said, review: send } = latest.current;
    if (said === null) return;
    hold(null);
    setSending((count) => count + 1);
    const { verdict, reason, seen, editCount } = said;
    const result = await send(said.lessonId, { verdict, reason, seen, editCount }).catch(unreachable);
    setSending((count) => count - 1);
    if (result.ok) latest.current.onSent(said);
    else latest.current.onRefused(said, result.problem);
  }, [hold]);

  useSendAt(held?.sendsAt ?? null, sendNow);
  useEffect(
    () => () => {
      const { held: said, review: send, toast: tell } = latest.current;
      if (said === null) return;
      const { lessonId, title, verdict, reason, seen, editCount } = said;
      void send(lessonId, { verdict, reason, seen, editCount })
        .catch(unreachable)
        .then((result) => {
          if (!result.ok) tell(`Your verdict on “${title}” was not stored. ${result.problem.message}`, 'problem');
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
    undo: useCallback(() => {
      const { held: said } = latest.current;
      hold(null);
      return said;
    }, [hold]),
    sendNow,
  };
}

function unreachable(error: unknown): Result<never> {
  return refusalOf(error, 'Hone did not answer. The verdict was not stored; give it again.');
}
