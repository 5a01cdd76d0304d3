'use client';

import type { ComponentProps } from 'react';

/** Form submitted by code, also with Ctrl+Enter or ⌘+Enter. Its fields show their own errors, so native validation is off. */
export function SubmitForm({
  onSubmit,
  ...props
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void }) {
  return (
    <form
      noValidate
      {...props}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat || event.defaultPrevented)
          return;
        if (!(event.target instanceof HTMLTextAreaElement)) return;
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
