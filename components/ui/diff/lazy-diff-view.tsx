'use client';

import dynamic from 'next/dynamic';
import { useEffect } from 'react';
import { useFirstTouch } from '../hydration.ts';
import { loadOrRetry } from '../load-or-retry.tsx';

/** `DiffView` for pages that show a diff only sometimes. Its code is loaded with the first diff. */
export const DiffView = dynamic(() => loadOrRetry(() => import('./diff-view.tsx').then((file) => file.DiffView)));

/** Loads the code of diffs at the first interaction, so that a diff that is opened later appears at once. */
export function usePreloadedDiff(): void {
  const isTouched = useFirstTouch();
  useEffect(() => {
    if (isTouched) import('./diff-view.tsx').catch(() => undefined);
  }, [isTouched]);
}
