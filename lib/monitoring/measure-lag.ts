import { instruments } from './instruments.ts';

type ReadEvents<Event> = (afterNumber: number, limit: number) => Promise<Event[]>;

/**
 * The same reads of one follower, measured: how old each event is when it is read, once the follower had caught up with what was there
 * before they came.
 */
export function measureLag<Event extends { at: string }>(read: ReadEvents<Event>): ReadEvents<Event> {
  let hasCaughtUp = false;
  return async (afterNumber, limit) => {
    const events = await read(afterNumber, limit);
    const now = Date.now();
    if (hasCaughtUp)
      for (const { at } of events) instruments().eventLagSeconds.observe(Math.max(0, now - Date.parse(at)) / 1_000);
    if (events.length === 0) hasCaughtUp = true;
    return events;
  };
}
