import { unstable_rethrow } from 'next/navigation';
import { type FormEvent, useActionState, useState, useTransition } from 'react';
import { toActionFailure } from '#components/access/to-action-failure.ts';
import type { Problem } from '#lib/core/problem.ts';

type PlainForm<State> = {
  action: (before: State, form: FormData) => Promise<State>;
  initial: State;
  /** Returns the state that shows why there is no response. */
  toState: (problem: Problem) => State;
  noAnswer: string;
};

/**
 * Manages a form that also works before hydration. After hydration, a failed request, such as a lost connection, becomes a state of the
 * form. Thrown while rendering, it would replace the page and what was typed.
 */
export function usePlainForm<State>({ action, initial, toState, noAnswer }: PlainForm<State>) {
  const [first, send, isSendingFirst] = useActionState<State, FormData>(action, initial as Awaited<State>);
  const [later, setLater] = useState<{ state: State } | null>(null);
  const [isSendingLater, startSending] = useTransition();
  const state = later === null ? first : later.state;

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entries = new FormData(event.currentTarget);
    startSending(async () => {
      const next = await action(state, entries).catch((error: unknown) => {
        // Redirects are thrown too.
        unstable_rethrow(error);
        return toState(toActionFailure(error, noAnswer).problem);
      });
      setLater({ state: next });
    });
  }
  return { state, isSending: isSendingFirst || isSendingLater, form: { action: send, onSubmit } };
}
