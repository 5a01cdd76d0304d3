import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** Stored event of a run, numbered from 1 without gaps. */
export type StoredEvent = { number: number; type: string; data: unknown };
/** Piece of the response that a model is streaming. With `start`, it is the whole text so far. It is not stored. */
export type TextPiece = { role: string; text: string; start?: true };

/** Reconnection delay of browsers after a broken stream. */
export const RETRY_FRAME = 'retry: 1000\n\n';
/** Comment that keeps proxies from closing an idle stream. */
const HEARTBEAT_FRAME = ': still here\n\n';

/** Formats a stored event as a server-sent event. Its number is the id that the client returns as `Last-Event-ID`. */
export function eventFrame(event: StoredEvent): string {
  return `id: ${event.number}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/** Formats live text without an id. It is not resent after a disconnect because its version arrives as a stored event. */
export function textFrame(piece: TextPiece): string {
  return `event: text\ndata: ${JSON.stringify(piece)}\n\n`;
}

/** Parses the number of the client's last event. Null or empty is 0: the client has no events. */
export function readLastEventId(sent: string | null): Result<number> {
  if (sent === null || sent === '') return succeed(0);
  const number = /^\d{1,10}$/.test(sent) ? Number(sent) : Number.NaN;
  if (number <= 2_147_483_647) return succeed(number);
  return fail('invalid', 'lastEventId must be the number of an event from the stream.', 'lastEventId');
}

/**
 * Returns the rows that follow `last`, in order. Excludes events already sent and those after a gap. A later read returns the missing
 * event.
 */
export function nextEvents<Event extends StoredEvent>(last: number, rows: readonly Event[]): Event[] {
  const next: Event[] = [];
  for (const row of rows.toSorted((a, b) => a.number - b.number)) {
    if (row.number === last + next.length + 1) next.push(row);
  }
  return next;
}

/** Source of a feed's events. */
export type EventSource = {
  /** Returns up to `limit` stored events after a number, in order. */
  readEvents(afterNumber: number, limit: number): Promise<StoredEvent[]>;
  /** Returns true if no event follows `lastNumber`: the run has ended there or was deleted. */
  isOver(lastNumber: number): Promise<boolean>;
  /** Returns the whole text so far of the call in progress. Null if there is none. */
  textSoFar(): TextPiece | null;
  follow(listener: { onEvents(): void; onText(piece: TextPiece): void }): () => void;
};

/** Frames for one client. `next` returns the pending frames or waits for one, and returns null at the end. Calls must not overlap. */
export type EventFeed = { next(): Promise<string | null>; close(): void };

const PAGE = 200;
/**
 * Maximum live text buffered for a slow client, in characters. Beyond it the feed ends, and the client reconnects for the stored events.
 */
const MAX_WAITING_TEXT = 1_000_000;

/**
 * Opens a feed of a run's events after `lastNumber`: stored events, then new ones, with live text between them in the order of writing.
 * Subscribes before the first read so that no event is missed. After `heartbeatMs` of silence it sends a heartbeat and reads the rows
 * again, in case a notification was lost.
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
      const frames = await takeFrames();
      if (frames !== '') return closed ? null : frames;
    }
    return null;
  }

  async function takeFrames(): Promise<string> {
    const item = inbox.shift();
    if (item === 'events') return readFrames();
    if (item !== undefined) {
      waitingText -= item.text.length;
      return textFrame(item);
    }
    if (!(await isSilent())) return '';
    inbox.push('events');
    return HEARTBEAT_FRAME;
  }

  /** Text that arrives meanwhile is sent once a read finds no new events. The feed is over when nothing is left to send. */
  async function readFrames(): Promise<string> {
    const events = nextEvents(last, await source.readEvents(last, PAGE));
    last += events.length;
    if (events.length > 0) inbox.unshift('events');
    else if (inbox.length === 0 && (await source.isOver(last)) && inbox.length === 0) close();
    else if (inbox.length > 0 && !inbox.includes('events')) inbox.push('events');
    return events.map(eventFrame).join('') + (events.length > 0 ? repeatText() : '');
  }

  /** Repeats the text so far, because clients clear theirs after an event. Includes the pieces not sent yet. */
  function repeatText(): string {
    const text = source.textSoFar();
    if (text === null) return '';
    inbox.splice(0, inbox.length, ...inbox.filter((item) => item === 'events'));
    waitingText = 0;
    return textFrame(text);
  }

  /** Waits for events or text. Returns true if none arrive within the heartbeat interval. */
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
