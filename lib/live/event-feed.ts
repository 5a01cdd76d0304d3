import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** One stored event of a run, numbered from 1 without a gap. */
export type StoredEvent = { number: number; type: string; data: unknown };
/** A piece of the answer that a model is writing just now; with `start`, all of it so far. It is not stored. */
export type TextPiece = { role: string; text: string; start?: true };

/** How long a browser waits before it comes back after a broken stream. */
export const RETRY_FRAME = 'retry: 1000\n\n';
/** A comment: keeps proxies from closing a silent stream. */
const HEARTBEAT_FRAME = ': still here\n\n';

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

/** Where a feed takes its events from. */
export type EventSource = {
  /** Stored events after a number, in order, at most `limit`. */
  readEvents(afterNumber: number, limit: number): Promise<StoredEvent[]>;
  /** Whether nothing will follow event `lastNumber`: the run has ended there, or is gone. */
  isOver(lastNumber: number): Promise<boolean>;
  follow(listener: { onEvents(): void; onText(piece: TextPiece): void }): () => void;
};

/** Frames of one listener. `next` answers what is due, or waits; null is the end. One call at a time. */
export type EventFeed = { next(): Promise<string | null>; close(): void };

const PAGE = 200;
/** Live text that waits for a slow listener, in characters; past it the feed ends, and the listener comes back for the stored rest. */
const MAX_WAITING_TEXT = 1_000_000;

/**
 * A run's events after `lastNumber`: the stored ones, then new ones as they come, with the live text between them in the
 * order it was written. Follows before it reads, so that nothing falls between. Sends a heartbeat after `heartbeatMs` of
 * silence, and then looks at the rows too, should a notification have been lost.
 */
export function openEventFeed(source: EventSource, lastNumber: number, heartbeatMs: number): EventFeed {
  let last = lastNumber;
  let closed = false;
  let waitingText = 0;
  let wake: (() => void) | null = null;
  const inbox: ('events' | TextPiece)[] = ['events'];

  const push = (item: 'events' | TextPiece) => {
    inbox.push(item);
    wake?.();
  };
  const stopFollowing = source.follow({
    onEvents: () => {
      if (inbox.at(-1) !== 'events') push('events');
    },
    onText: (piece) => {
      waitingText += piece.text.length;
      if (waitingText > MAX_WAITING_TEXT) close();
      else push(piece);
    },
  });

  function close(): void {
    if (closed) return;
    closed = true;
    stopFollowing();
    inbox.length = 0;
    wake?.();
  }

  async function next(): Promise<string | null> {
    while (!closed) {
      const item = inbox.shift();
      if (item === undefined) {
        if (await isSilent()) {
          inbox.push('events');
          return HEARTBEAT_FRAME;
        }
      } else if (item !== 'events') {
        waitingText -= item.text.length;
        return textFrame(item);
      } else {
        const frames = await readFrames();
        if (frames !== '') return closed ? null : frames;
      }
    }
    return null;
  }

  /** Text that arrives meanwhile waits until a read finds nothing new; the feed is over when nothing at all is left to send. */
  async function readFrames(): Promise<string> {
    const events = nextEvents(last, await source.readEvents(last, PAGE));
    last += events.length;
    if (events.length > 0) inbox.unshift('events');
    else if (inbox.length === 0 && (await source.isOver(last)) && inbox.length === 0) close();
    else if (inbox.length > 0 && !inbox.includes('events')) inbox.push('events');
    return events.map(eventFrame).join('');
  }

  /** Waits for something to do; true when it stayed silent for the time of a heartbeat. */
  function isSilent(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(true), heartbeatMs);
      const done = (silent: boolean) => {
        clearTimeout(timer);
        wake = null;
        resolve(silent);
      };
      wake = () => done(false);
    });
  }

  return { next, close };
}
