'use client';

import dynamic from 'next/dynamic';
import { type ComponentType, useState } from 'react';
import { loadOrRetry } from './load-or-retry.tsx';
import type { DialogProps } from './modal-dialog.tsx';

const ModalDialog = dynamic(() => loadOrRetry(() => import('./modal-dialog.tsx').then((file) => file.ModalDialog)), {
  ssr: false,
  loading: DialogLoading,
});

/** Returns a dialog whose code, with its content, is loaded when it is first opened. */
export function lazyDialog<Props extends { open: boolean }>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = dynamic(() => loadOrRetry(load), { ssr: false, loading: DialogLoading });
  return function LazyDialog(props: Props) {
    return useWasOpened(props.open) ? <Loaded {...props} /> : null;
  };
}

/** Modal dialog whose code is loaded when it is first opened. */
export function Dialog(props: DialogProps) {
  return useWasOpened(props.open) ? <ModalDialog {...props} /> : null;
}

/**
 * Placeholder for a dialog whose code is loading. Single-key shortcuts pause while a dialog element exists, so opening pauses them at once.
 */
export function DialogLoading() {
  return <div role="dialog" hidden />;
}

/** Returns true from the first opening on, so that code is loaded then and kept for later openings. */
function useWasOpened(isOpen: boolean): boolean {
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  return wasOpened || isOpen;
}
