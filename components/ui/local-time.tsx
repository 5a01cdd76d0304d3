'use client';

import { formatAgo, formatLocalMoment, formatMoment, withLocalMoments } from '#lib/format.ts';
import { useFirstTouch, useIsHydrating } from './hydration.ts';
import { useNow } from './timers.ts';

/** Shows a time in the viewer's time zone, with UTC and the zone on hover. The server renders UTC because it does not have the zone. */
export function LocalTime({ moment }: { moment: string }) {
  const isHydrating = useIsHydrating();
  const exactTime = useExactTime();
  return (
    <time dateTime={moment} title={exactTime(moment)} className="whitespace-nowrap">
      {isHydrating ? formatMoment(moment) : formatLocalMoment(moment)}
    </time>
  );
}

/** Shows a text with its timestamps, in the format of `formatMoment`, in the viewer's time zone. */
export function LocalMoments({ text }: { text: string }) {
  return useIsHydrating() ? text : withLocalMoments(text);
}

/**
 * Returns a formatter for the title of an element. It includes the viewer's time zone from the first interaction, because nothing is
 * hovered before and the first read of the zone takes 50 ms on a phone. Until then, and on the server, it uses UTC.
 */
export function useExactTime(): (moment: string) => string {
  return useFirstTouch() ? exactTime : formatMoment;
}

/** Formats a time in the viewer's time zone with the zone's name, and in UTC. Use only in the browser. */
export function exactTime(moment: string): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return `${formatLocalMoment(moment)} ${timeZone} (${formatMoment(moment)})`;
}

/** Live relative time. The exact time in local time and UTC is shown on hover. */
export function TimeAgo({ moment }: { moment: string }) {
  const now = useNow(20_000);
  const exactTime = useExactTime();
  return (
    <time dateTime={moment} title={exactTime(moment)} className="whitespace-nowrap">
      {formatAgo(moment, now)}
    </time>
  );
}
