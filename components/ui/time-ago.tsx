'use client';

import { formatAgo, formatMoment } from '#lib/format.ts';
import { useNow } from './use-now.ts';

/** How long ago, counting on; the exact moment on hover. `now` is the server's, so that both sides write the same first. */
export function TimeAgo({ moment, now }: { moment: string; now: string }) {
  const current = useNow(now, 20_000);
  return (
    <time dateTime={moment} title={formatMoment(moment)} className="whitespace-nowrap">
      {formatAgo(moment, current)}
    </time>
  );
}
