'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { DialogProps } from './dialog-window.tsx';

const DialogWindow = dynamic(() => import('./dialog-window.tsx').then((file) => file.DialogWindow), {
  ssr: false,
  // Single keys rest from the moment it is opened, also while its code is loaded.
  loading: () => <div role="dialog" hidden />,
});

/** A question in front of the page, whose code is loaded when it is first opened. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setOpened] = useState(props.open);
  if (props.open && !wasOpened) setOpened(true);
  return wasOpened ? <DialogWindow {...props} /> : null;
}
