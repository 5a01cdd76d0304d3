'use client';

import type { ComponentProps } from 'react';
import { isModEnter } from './use-mod-enter.ts';

/** Form submitted by code, also with Ctrl+Enter or ⌘+Enter. Its fields show their own errors, so native validation is off. */
export function SubmitForm({
  onSubmit,
  ...props
}: Omit<ComponentProps<'form'>, 'onSubmit' | 'onKeyDown'> & { onSubmit: () => void }) {
  return (
    <form
      noValidate
      {...props}
      onKeyDown={(event) => {
        if (!isModEnter(event) || !(event.target instanceof HTMLTextAreaElement)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        // The keys also submit while the button is disabled.
        if (!event.currentTarget.querySelector('[type="submit"]')?.matches(':disabled')) onSubmit();
      }}
    />
  );
}
