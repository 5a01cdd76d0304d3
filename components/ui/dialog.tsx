'use client';

import dynamic from 'next/dynamic';
import { DialogLoading } from './dialog-loading.tsx';
import type { DialogProps } from './dialog-window.tsx';
import { loadOrRetry } from './load-or-retry.tsx';
import { useWasOpened } from './use-was-opened.ts';

const DialogWindow = dynamic(() => loadOrRetry(() => import('./dialog-window.tsx').then((file) => file.DialogWindow)), {
  ssr: false,
  loading: DialogLoading,
});

/** Modal dialog whose code is loaded when it is first opened. */
export function Dialog(props: DialogProps) {
  return useWasOpened(props.open) ? <DialogWindow {...props} /> : null;
}
