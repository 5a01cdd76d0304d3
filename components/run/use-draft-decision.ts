import { useCallback, useEffect, useRef, useState } from 'react';
import { UNDO_MS, useSendAt } from '#components/ui/timers.ts';
import { useToast } from '#components/ui/toaster.tsx';
import type { Result } from '#lib/core/problem.ts';
import type { DecisionInput } from './run-actions.ts';

/** A decision that is not sent yet. `sendsAt` (epoch, ms) is null for one that was refused and is kept. */
export type DraftDecision = { input: DecisionInput; words: string; done: string; sendsAt: number | null };

type Send = (input: DecisionInput, done: string) => Promise<Result<unknown>>;

/**
 * Holds a decision back for a moment, in which it can be undone. A refused one stays as a draft. Who leaves the page
 * meanwhile has decided: it is sent.
 */
export function useDraftDecision(send: Send) {
  const [draft, setDraft] = useState<DraftDecision | null>(null);
  const toast = useToast();
  const latest = useRef({ draft, send, toast });
  latest.current = { draft, send, toast };

  const sendNow = useCallback(async (changes: Partial<DecisionInput> = {}): Promise<boolean> => {
    const { draft: held } = latest.current;
    if (held === null) return false;
    // Nothing may send it twice: neither the clock nor a second key.
    setDraft(null);
    latest.current.draft = null;
    const result = await latest.current.send({ ...held.input, ...changes }, held.done);
    if (!result.ok) setDraft({ ...held, sendsAt: null });
    return result.ok;
  }, []);

  useSendAt(draft?.sendsAt ?? null, sendNow);
  useEffect(
    () => () => {
      const { draft: held, send: sendIt, toast: tell } = latest.current;
      if (held?.sendsAt == null) return;
      void sendIt(held.input, held.done).then((result) => {
        if (!result.ok) tell(`Not sent: ${held.words}. ${result.problem.message}`, 'problem');
      });
    },
    [],
  );

  return {
    draft,
    /** Replaces the draft before it, if there is one. */
    propose: useCallback(
      (decision: Omit<DraftDecision, 'sendsAt'>) => setDraft({ ...decision, sendsAt: Date.now() + UNDO_MS }),
      [],
    ),
    undo: useCallback(() => setDraft(null), []),
    sendNow,
  };
}
