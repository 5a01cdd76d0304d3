'use client';

import { formatLocalMoment, formatMoment } from '#lib/format.ts';
import { useIsHydrating } from './use-is-hydrating.ts';

/** Shows a time in the viewer's time zone, with UTC and the zone on hover. The server renders UTC because it does not have the zone. */
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

/** Returns a formatter for the title of an element. It includes the viewer's time zone, or uses UTC during server rendering. */
export function useExactTime(): (moment: string) => string {
  return useIsHydrating() ? formatMoment : exactTime;
}

/** Formats a time in the viewer's time zone with the zone's name, and in UTC. Use only in the browser. */
export function exactTime(moment: string): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return `${formatLocalMoment(moment)} ${timeZone} (${formatMoment(moment)})`;
}
