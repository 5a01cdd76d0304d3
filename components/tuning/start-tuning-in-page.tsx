'use client';

import dynamic from 'next/dynamic';

/** The form that starts a tuning run, loaded only where an experiment tunes its prompt. */
export const StartTuningInPage = dynamic(() => import('./start-tuning-form.tsx').then((file) => file.StartTuningForm));
