'use client';

import { formatAgo } from '#lib/format.ts';
import { useExactTime } from './local-time.tsx';
import { useNow } from './timers.ts';

/**
 * Live relative time. The exact time in local time and UTC is shown on hover. `now` is the server time, so that server and browser render
 * the same text first.
 */
export function TimeAgo({ moment, now }: { moment: string; now: string }) {
  const current = useNow(now, 20_000);
  const exactTime = useExactTime();
  return (
    <time dateTime={moment} title={exactTime(moment)} className="whitespace-nowrap">
      {formatAgo(moment, current)}
    </time>
  );
}
