'use client';

import type { ComponentProps } from 'react';

/** A form that is sent by code. Its fields show their own errors, so the browser shows none. */
export function SubmitForm({
  onSubmit,
  ...props
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void }) {
  return (
    <form
      noValidate
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
