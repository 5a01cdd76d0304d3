'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { DialogProps } from './dialog-window.tsx';
import { loadOrRetry } from './load-or-retry.tsx';

const DialogWindow = dynamic(() => loadOrRetry(() => import('./dialog-window.tsx').then((file) => file.DialogWindow)), {
  ssr: false,
  loading: DialogLoading,
});

/** Modal dialog whose code is loaded when it is first opened. */
export function Dialog(props: DialogProps) {
  return useWasOpened(props.open) ? <DialogWindow {...props} /> : null;
}

/**
 * Placeholder for a dialog whose code is loading. Single-key shortcuts pause while a dialog element exists, so opening pauses them at once.
 */
export function DialogLoading() {
  return <div role="dialog" hidden />;
}

/** Returns true from the first opening on, so that code is loaded then and kept for later openings. */
export function useWasOpened(isOpen: boolean): boolean {
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  return wasOpened || isOpen;
}
