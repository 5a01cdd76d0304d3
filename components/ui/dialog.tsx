'use client';

import dynamic from 'next/dynamic';
import type { DialogProps } from './dialog-window.tsx';
import { useWasOpened } from './use-was-opened.ts';

const DialogWindow = dynamic(() => import('./dialog-window.tsx').then((file) => file.DialogWindow), {
  ssr: false,
  // Single keys rest from the moment it is opened, also while its code is loaded.
  loading: () => <div role="dialog" hidden />,
});

/** A question in front of the page, whose code is loaded when it is first opened. */
export function Dialog(props: DialogProps) {
  return useWasOpened(props.open) ? <DialogWindow {...props} /> : null;
}
