'use client';

import { formatAgo, formatMoment } from '#lib/format.ts';
import { exactTime } from './local-time.tsx';
import { useNow } from './timers.ts';
import { useIsHydrating } from './use-is-hydrating.ts';

/** How long ago, counting on. The exact moment on hover, local and in UTC. `now` is the server's, so that both sides write the same first. */
export function TimeAgo({ moment, now }: { moment: string; now: string }) {
  const current = useNow(now, 20_000);
  const isHydrating = useIsHydrating();
  return (
    <time
      dateTime={moment}
      title={isHydrating ? formatMoment(moment) : exactTime(moment)}
      className="whitespace-nowrap"
    >
      {formatAgo(moment, current)}
    </time>
  );
}
