import { redirect } from 'next/navigation';
import { createElement, type FormEvent, type PropsWithChildren } from 'react';
import { expect, test } from 'vitest';
import { RoleProvider } from '#components/access/role-provider.tsx';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useSignOutForm } from './current-user.tsx';

async function signOutBy(signOut: () => Promise<void>) {
  const wrapper = ({ children }: PropsWithChildren) => createElement(RoleProvider, { person: null, signOut, children });
  const { current, act } = await renderHook(useSignOutForm, wrapper);
  await act(() => current().form?.onSubmit({ preventDefault: () => {} } as FormEvent));
  return current();
}

test('the page stays open if the connection is lost while signing out', async () => {
  const { isLeaving, form } = await signOutBy(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(isLeaving).toBe(false);
  expect(form).not.toBeNull();
});

test('the redirect after signing out leaves the page', async () => {
  await expect(signOutBy(async () => redirect('/sign-in'))).rejects.toThrow('NEXT_REDIRECT');
});
