'use client';

import { useState, useTransition } from 'react';
import { errorAt } from '#components/ui/form-errors.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { type Problem, problemsOf, type Result } from '#lib/core/problem.ts';
import { refusalOf } from './refusal-of.ts';

/**
 * Sends what a form or a button asks for, to an action or to the API. `isBusy` while a request is under way. `noAnswer`: the message if Hone
 * does not answer.
 */
export function useSubmit(noAnswer = 'Hone did not answer. Try again.') {
  const toast = useToast();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sending, setSending] = useState(0);
  const [isFollowing, startFollowing] = useTransition();
  const isBusy = sending > 0 || isFollowing;

  /** Calls `onResult` with the value or with why there is none. After the person left the page, it only shows a refusal. */
  async function settle<Value>(
    request: Promise<Result<Value>>,
    onResult: (result: Result<Value>) => unknown,
  ): Promise<void> {
    const { pathname } = window.location;
    // Waits outside of a transition, since React shows no other page while an async one is pending.
    setSending((count) => count + 1);
    const result = await request.catch((error: unknown) => refusalOf(error, noAnswer));
    if (window.location.pathname === pathname) {
      const following = onResult(result);
      // Ends with the navigation that `onResult` began, so the form stays busy until the next page is shown.
      startFollowing(() => {});
      await following;
    } else if (!result.ok) toast(result.problem.message, 'problem');
    setSending((count) => count - 1);
  }

  /** Keeps a refusal as `problem`, to be shown in place, and calls `onDone` with the value otherwise. */
  function submit<Value>(request: Promise<Result<Value>>, onDone: (value: Value) => unknown = () => {}): void {
    setProblem(null);
    void settle(request, (result) => {
      setProblem(result.ok ? null : result.problem);
      return result.ok ? onDone(result.value) : undefined;
    });
  }

  /** Shows a refusal, or what was done, as a toast, and calls `onResult` after either. */
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
  return { isBusy, problem, setProblem, errorAt: errorAtField, settle, submit, submitWithToast };
}
