'use client';

import { useRouter } from 'next/navigation';
import { startTransition, useCallback, useEffect, useRef, useState, useTransition } from 'react';
import { errorAt, focusOn } from '#components/ui/form-errors.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { type Problem, problemsOf, type Result } from '#lib/core/problem.ts';
import { mayBeOutdated, toActionFailure } from './to-action-failure.ts';

type SubmitOptions = {
  /** True by default: a success loads the data of the page again. `always`: also a refusal, as the stored state may have changed. */
  refreshes?: boolean | 'always';
};

/**
 * Sends the request of a form or button to the API or an action. `isBusy`: a request is pending. `noAnswer`: message shown if Hone does not
 * respond. After an error, the focus moves to the first invalid field, or back to the button, which loses it while it is disabled.
 */
export function useSubmit(noAnswer = 'Hone did not respond. Try again.', { refreshes = true }: SubmitOptions = {}) {
  const router = useRouter();
  const toast = useToast();
  const [problem, storeProblem] = useState<Problem | null>(null);
  const { isBusy: isSending, during } = useBusy();
  const [isFollowing, startFollowing] = useTransition();
  const isBusy = isSending || isFollowing;
  const sender = useRef<Element>(null);
  const form = useRef<Element>(null);
  const isSettling = useRef(false);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  useEffect(() => {
    if (problem === null || isBusy) return;
    // One frame later, when the collapsed part of the field is open.
    const frame = requestAnimationFrame(() => returnFocus(sender.current));
    return () => cancelAnimationFrame(frame);
  }, [problem, isBusy]);

  function setProblem(next: Problem | null): void {
    // A check before the request. Later, the user may have moved on.
    if (!isSettling.current) sender.current = document.activeElement;
    if (next === null) storeProblem(null);
    else report(next, storeProblem);
  }

  /**
   * Calls `onResult` with the value or with why there is none. Shows only an error after the user has left the page. `options` of this
   * request replace those of the hook.
   */
  function settle<Value>(
    request: Promise<Result<Value>>,
    onResult: (result: Result<Value>) => unknown,
    options: SubmitOptions = { refreshes },
  ): Promise<void> {
    const { pathname } = window.location;
    sender.current = document.activeElement;
    form.current = formOf(sender.current);
    isSettling.current = true;
    return during(async () => {
      const result = await request.catch((error: unknown) => toActionFailure(error, noAnswer));
      if (window.location.pathname === pathname) {
        const following = onResult(result);
        // Ends with the navigation that `onResult` began, so the form stays busy until the next page is shown.
        startFollowing(() => {});
        await following;
      } else if (!result.ok) toast(result.problem.message, 'problem');
      if (result.ok ? options.refreshes : options.refreshes === 'always' && mayBeOutdated(result.problem))
        startFollowing(() => router.refresh());
    }).finally(() => {
      isSettling.current = false;
    });
  }

  /** Calls `show` with an error. If the form was closed during the request, the error is a toast, because nothing else would show it. */
  function report(found: Problem, show: (problem: Problem) => unknown): void {
    const isClosed = !isShown.current || (isSettling.current && form.current?.isConnected === false);
    if (!isClosed) show(found);
    else toast(found.message, 'problem');
  }

  /** Stores an error in `problem` for inline display. Calls `onDone` with the value on success. */
  function submit<Value>(
    request: Promise<Result<Value>>,
    onDone: (value: Value) => unknown = () => {},
    options: SubmitOptions = { refreshes },
  ): void {
    setProblem(null);
    const onResult = (result: Result<Value>) => {
      if (!result.ok) return setProblem(result.problem);
      setProblem(null);
      return onDone(result.value);
    };
    void settle(request, onResult, options);
  }

  /** Shows the error or a success message as a toast, then calls `onResult` in both cases. */
  function submitWithToast<Value>(
    request: Promise<Result<Value>>,
    done: string | ((value: Value) => string),
    onResult: (result: Result<Value>) => unknown = () => {},
  ): void {
    void settle(request, (result) => {
      if (!result.ok) toast(result.problem.message, 'problem');
      else toast(typeof done === 'string' ? done : done(result.value));
      return onResult(result);
    });
  }

  const errorAtField = (field: string) => errorAt(problemsOf(problem), field);
  return { isBusy, problem, setProblem, errorAt: errorAtField, settle, report, submit, submitWithToast };
}

function formOf(sender: Element | null): Element | null {
  return sender?.closest('form, [role="dialog"]') ?? null;
}

/** Focuses the first invalid field of the form that `sender` belongs to, or `sender`. Skipped if the user has moved on. */
function returnFocus(sender: Element | null): void {
  if (document.activeElement !== document.body && document.activeElement !== sender) return;
  const target = (formOf(sender) ?? document).querySelector('[aria-invalid="true"]') ?? sender;
  if (target instanceof HTMLElement) focusOn(target);
}

/**
 * Tracks asynchronous work. `isBusy`: true while work is pending. `during`: runs work and returns its result. Links stay usable during the
 * work. An async transition would block them, because React shows no other page until it ends.
 */
export function useBusy() {
  const [pending, setPending] = useState(0);
  const during = useCallback(async <Value>(work: () => Promise<Value>): Promise<Value> => {
    setPending((count) => count + 1);
    try {
      return await work();
    } finally {
      // The work ends after React has shown its changes. Failed work ends too, or else the form would stay busy.
      startTransition(() => setPending((count) => count - 1));
    }
  }, []);
  return { isBusy: pending > 0, during };
}
