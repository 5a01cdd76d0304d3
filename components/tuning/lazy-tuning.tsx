'use client';

import dynamic from 'next/dynamic';

/** Form that starts a tuning run. Loaded only for experiments that tune a prompt. */
export const StartTuningInPage = dynamic(() => import('./start-tuning-form.tsx').then((file) => file.StartTuningForm));

/** Page of a tuning run, loaded only for such runs. */
export const TuningRunInPage = dynamic(() => import('./tuning-run-view.tsx').then((file) => file.TuningRunView));
