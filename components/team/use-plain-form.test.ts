import { redirect } from 'next/navigation';
import type { FormEvent } from 'react';
import { expect, test, vi } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import type { Problem } from '#lib/core/problem.ts';
import { usePlainForm } from './use-plain-form.ts';

const REFUSED: Problem = { code: 'invalid', field: null, message: 'The password is wrong.' };

/** Submits a form whose action is `action` and returns its state. */
async function submit(action: () => Promise<Problem | null>): Promise<Problem | null> {
  vi.stubGlobal('FormData', class {});
  const form = { action, initial: null, toState: (problem: Problem) => problem, noAnswer: 'Hone did not respond.' };
  const { current, act } = await renderHook(() => usePlainForm<Problem | null>(form));
  await act(() => current().form.onSubmit({ preventDefault: () => {} } as FormEvent<HTMLFormElement>));
  expect(current().isSending).toBe(false);
  return current().state;
}

test('a lost connection is a problem of the form', async () => {
  const state = await submit(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(state?.message).toBe('Hone did not respond.');
});

test('the answer of the action is the state of the form', async () => {
  expect(await submit(async () => REFUSED)).toBe(REFUSED);
});

test('a redirect still leaves the page', async () => {
  await expect(submit(async () => redirect('/'))).rejects.toThrow('NEXT_REDIRECT');
});
