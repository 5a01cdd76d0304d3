'use client';

import dynamic from 'next/dynamic';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';

/** Form that starts a tuning run. Loaded only for experiments that tune a prompt. */
export const StartTuningInPage = dynamic(() =>
  loadOrRetry(() => import('./start-tuning-form.tsx').then((file) => file.StartTuningForm)),
);

/** Page of a tuning run, loaded only for such runs. */
export const TuningRunInPage = dynamic(() =>
  loadOrRetry(() => import('./tuning-run-view.tsx').then((file) => file.TuningRunView)),
);
