'use client';

import dynamic from 'next/dynamic';

/** Changed settings of a version. Loaded only for experiments with several versions, because comparing texts takes much code. */
export const LazySettingsDiff = dynamic(() => import('./settings-diff.tsx').then((file) => file.SettingsDiff));
