'use client';

import dynamic from 'next/dynamic';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';

/** Score chart of the sample run. Loaded only before the first experiment, because later the home page shows no run. */
export const SampleScoreChart = dynamic(() =>
  loadOrRetry(() => import('#components/run/score-chart.tsx').then((file) => file.ScoreChart)),
);
