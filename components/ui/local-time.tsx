'use client';

import { formatLocalMoment, formatMoment } from '#lib/format.ts';
import { useIsHydrating } from './use-is-hydrating.ts';

/** A moment in the viewer's time zone, with UTC and the zone on hover. The server knows no zone, so it writes UTC. */
export function LocalTime({ moment }: { moment: string }) {
  const isHydrating = useIsHydrating();
  return (
    <time
      dateTime={moment}
      title={isHydrating ? formatMoment(moment) : exactTime(moment)}
      className="whitespace-nowrap"
    >
      {isHydrating ? formatMoment(moment) : formatLocalMoment(moment)}
    </time>
  );
}

/** What writes a moment for the title of an element: with the name of the viewer's zone, or in UTC where the server draws it. */
export function useExactTime(): (moment: string) => string {
  return useIsHydrating() ? formatMoment : exactTime;
}

/** A moment in the viewer's time zone with the name of the zone, and in UTC. Only for the browser. */
export function exactTime(moment: string): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return `${formatLocalMoment(moment)} ${timeZone} (${formatMoment(moment)})`;
}
