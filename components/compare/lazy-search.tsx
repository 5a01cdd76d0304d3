'use client';

import dynamic from 'next/dynamic';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';

/** Search for experiments. Loaded only to choose them, because a comparison has no form. */
export const CompareSearchInPage = dynamic(() =>
  loadOrRetry(() => import('./compare-search.tsx').then((file) => file.CompareSearch)),
);
