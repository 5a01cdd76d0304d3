import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** One stored event of a run, numbered from 1 without a gap. */
export type StoredEvent = { number: number; type: string; data: unknown };
/** A piece of the answer that a model is writing just now; with `start`, all of it so far. It is not stored. */
export type TextPiece = { role: string; text: string; start?: true };

/** How long a browser waits before it comes back after a broken stream. */
export const RETRY_FRAME = 'retry: 1000\n\n';
/** A comment: keeps proxies from closing a silent stream. */
export const HEARTBEAT_FRAME = ': still here\n\n';

/** A stored event in the form of server-sent events; its number is the id that `Last-Event-ID` brings back. */
export function eventFrame(event: StoredEvent): string {
  return `id: ${event.number}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/** Live text has no id: after a break it is not repeated, its version arrives as a stored event. */
export function textFrame(piece: TextPiece): string {
  return `event: text\ndata: ${JSON.stringify(piece)}\n\n`;
}

/** The number of the last event somebody has, from what they sent (null: nothing, so they have none). */
export function readLastEventId(sent: string | null): Result<number> {
  if (sent === null || sent === '') return succeed(0);
  const number = /^\d{1,10}$/.test(sent) ? Number(sent) : Number.NaN;
  if (number <= 2_147_483_647) return succeed(number);
  return fail('invalid', 'lastEventId must be the number of an event, as the stream gave it.', 'lastEventId');
}

/**
 * Of the rows that were read, those that come next after `last`, in order: none that was sent before, and none behind a
 * missing number (it is on its way; a later read finds it).
 */
export function nextEvents<Event extends StoredEvent>(last: number, rows: readonly Event[]): Event[] {
  const next: Event[] = [];
  for (const row of rows.toSorted((a, b) => a.number - b.number)) {
    if (row.number === last + next.length + 1) next.push(row);
  }
  return next;
}
