import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toActionFailure } from '#components/access/to-action-failure.ts';
import { submitApi } from '#components/api/call-api.ts';
import { useToast } from '#components/ui/toaster.tsx';
import { UNDO_MS, useDelayedSend } from '#components/ui/use-delayed-send.ts';
import type { PendingPromotion } from '#lib/assignments/queries.ts';
import type { LessonStatus, LessonVerdict } from '#lib/core/lesson-schema.ts';
import type { Problem } from '#lib/core/problem.ts';

/** Review decision, with the state of the lesson when it was made. */
export type EnteredVerdict = {
  lessonId: string;
  title: string;
  verdict: LessonVerdict;
  reason: string;
  seen: LessonStatus;
  /** Number of edits of the text that the reviewer read. */
  editCount: number;
  /** Number of opposing votes the reviewer saw. If there are more, a promotion must be confirmed. */
  objectionsSeen: number;
};
/** Decision that is not sent yet. `sendsAt`: Unix time in milliseconds. */
export type UnsentVerdict = EnteredVerdict & { sendsAt: number };

type UnsentVerdictOptions = {
  onSent: (entered: EnteredVerdict) => void;
  /** Called if the promotion waits for a confirmation or another reviewer. */
  onPending: (entered: EnteredVerdict, pending: PendingPromotion) => void;
  onRefused: (entered: EnteredVerdict, problem: Problem) => void;
};

/** Holds a decision back for a moment, in which it can be undone. The next decision or leaving the page sends it immediately. */
export function useUnsentVerdict({ onSent, onPending, onRefused }: UnsentVerdictOptions) {
  const [unsent, setUnsent] = useState<UnsentVerdict | null>(null);
  const [sending, setSending] = useState(0);
  // Two key presses may arrive before the next render.
  const toast = useToast();
  const router = useRouter();
  const queryClient = useQueryClient();
  const latest = useRef({ unsent, onSent, onPending, onRefused, toast, router });
  latest.current = { unsent: latest.current.unsent, onSent, onPending, onRefused, toast, router };

  const hold = useCallback((next: UnsentVerdict | null) => {
    latest.current.unsent = next;
    setUnsent(next);
  }, []);

  /** Sends a decision. Returns true if no further input is needed. */
  const send = useCallback(
    async (entered: EnteredVerdict): Promise<boolean> => {
      setSending((count) => count + 1);
      const result = await review(entered);
      setSending((count) => count - 1);
      if (!result.ok) latest.current.onRefused(entered, result.problem);
      else if (result.value.pending === null) latest.current.onSent(entered);
      else latest.current.onPending(entered, result.value.pending);
      void queryClient.invalidateQueries({ queryKey: ['lesson-people', entered.lessonId] });
      return result.ok && result.value.pending?.why !== 'objections';
    },
    [queryClient],
  );

  const sendNow = useCallback(async () => {
    const { unsent: entered } = latest.current;
    if (entered === null) return;
    hold(null);
    await send(entered);
  }, [hold, send]);

  useDelayedSend(unsent?.sendsAt ?? null, sendNow);
  useEffect(
    () => () => {
      const { unsent: entered, toast: showToast, router: next } = latest.current;
      if (entered === null) return;
      void review(entered).then((result) => {
        if (!result.ok)
          return showToast(`Your decision on “${entered.title}” was not saved. ${result.problem.message}`, 'problem');
        next.refresh();
        if (result.value.pending !== null) showToast(`“${entered.title}”: ${result.value.pending.message}`, 'problem');
      });
    },
    [],
  );

  return {
    held: unsent,
    isBusy: sending > 0,
    /** Sends the held decision and holds the new one. */
    give: useCallback(
      (entered: EnteredVerdict) => {
        void sendNow();
        hold({ ...entered, sendsAt: Date.now() + UNDO_MS });
      },
      [sendNow, hold],
    ),
    /** Sends the held decision, then the new one immediately. */
    giveNow: useCallback(
      async (entered: EnteredVerdict) => {
        await sendNow();
        return send(entered);
      },
      [sendNow, send],
    ),
    undo: useCallback(() => {
      const { unsent: entered } = latest.current;
      hold(null);
      return entered;
    }, [hold]),
    sendNow,
  };
}

function review({ lessonId, verdict, reason, seen, editCount, objectionsSeen }: EnteredVerdict) {
  const body = { verdict, reason, seen, editCount, objectionsSeen };
  return submitApi('POST /api/v1/lessons/{id}/reviews', { params: { id: lessonId }, body }).catch((error: unknown) =>
    toActionFailure(error, 'Hone did not respond. The decision was not saved. Decide again.'),
  );
}
