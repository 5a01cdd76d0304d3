'use client';

import dynamic from 'next/dynamic';

/** Page of a tuning run, loaded only for such runs. */
export const TuningRunInPage = dynamic(() => import('./tuning-run-view.tsx').then((file) => file.TuningRunView));
