'use client';

import dynamic from 'next/dynamic';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';

/** Import of cases into a dataset. Loaded only for its tab. */
export const ImportInPage = dynamic(() =>
  loadOrRetry(() => import('./import-pane.tsx').then((file) => file.ImportPane)),
);

/** Versions of a dataset and their changes. Loaded only for its tab, because comparing texts takes much code. */
export const HistoryInPage = dynamic(() =>
  loadOrRetry(() => import('./history-pane.tsx').then((file) => file.HistoryPane)),
);
