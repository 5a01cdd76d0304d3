import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EventSource, openEventFeed, type StoredEvent, type TextPiece } from './event-feed.ts';

/** Creates a run in memory that stores events and notifies its followers. */
function openRun() {
  const stored: StoredEvent[] = [];
  const followers = new Set<Parameters<EventSource['follow']>[0]>();
  let inFlight = '';
  let over = false;
  const notify = () => {
    for (const follower of followers) follower.onEvents();
  };
  return {
    followers,
    store(...types: string[]) {
      for (const type of types) stored.push({ number: stored.length + 1, type, data: {} });
    },
    tell: notify,
    say(type: string) {
      this.store(type);
      if (type === 'stopped') over = true;
      notify();
    },
    /** Adds text to the call in progress. */
    stream(text: string) {
      inFlight += text;
      this.text(text);
    },
    text(text: string) {
      for (const follower of followers) follower.onText({ role: 'generate', text } satisfies TextPiece);
    },
    source: {
      readEvents: async (after, limit) => stored.filter((event) => event.number > after).slice(0, limit),
      isOver: async (last) => over && last >= stored.length,
      textSoFar: () => (inFlight === '' ? null : { role: 'generate', text: inFlight, start: true }),
      follow: (listener) => {
        followers.add(listener);
        return () => followers.delete(listener);
      },
    } satisfies EventSource,
  };
}

/** Reads a feed to its end and returns its frames as `#number type` and text. */
async function readAll(feed: { next(): Promise<string | null> }): Promise<string[]> {
  const sent: string[] = [];
  for (let frames = await feed.next(); frames !== null; frames = await feed.next()) sent.push(...named(frames));
  return sent;
}

function named(frames: string): string[] {
  return frames
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const [id, type] = [/^id: (\d+)$/m, /^event: (\w+)$/m].map((pattern) => pattern.exec(frame)?.[1]);
      if (type === 'text') return JSON.parse(frame.slice(frame.indexOf('{'))).text;
      return id === undefined ? frame : `#${id} ${type}`;
    });
}

const HEARTBEAT_MS = 15_000;

describe('openEventFeed', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('sends the stored events of an ended run, then ends', async () => {
    const run = openRun();
    run.store('output_made', 'evaluated');
    run.say('stopped');
    expect(await readAll(openEventFeed(run.source, 0, HEARTBEAT_MS))).toEqual([
      '#1 output_made',
      '#2 evaluated',
      '#3 stopped',
    ]);
    expect(run.followers.size).toBe(0);
  });

  test.each([
    [1, ['#2 evaluated', '#3 stopped']],
    [2, ['#3 stopped']],
    [3, []],
    [99, []],
  ])('resumes after event %i', async (last, expected) => {
    const run = openRun();
    run.store('output_made', 'evaluated');
    run.say('stopped');
    expect(await readAll(openEventFeed(run.source, last, HEARTBEAT_MS))).toEqual(expected);
  });

  test('sends more than one page of stored events without gaps', async () => {
    const run = openRun();
    run.store(...Array.from({ length: 450 }, () => 'evaluated'));
    run.say('stopped');
    const sent = await readAll(openEventFeed(run.source, 0, HEARTBEAT_MS));
    expect(sent.map((name) => Number(/\d+/.exec(name)?.[0]))).toEqual(Array.from({ length: 451 }, (_, at) => at + 1));
  });

  test('sends text between the events stored before and after it', async () => {
    const run = openRun();
    run.store('output_made');
    const feed = openEventFeed(run.source, 0, HEARTBEAT_MS);
    run.text('Hel');
    run.text('lo');
    expect(named((await feed.next()) ?? '')).toEqual(['#1 output_made']);
    expect(named((await feed.next()) ?? '')).toEqual(['Hel']);
    run.say('evaluated');
    run.text('x');
    run.say('stopped');
    const rest = await readAll(feed);
    expect(rest.filter((name) => name.startsWith('#'))).toEqual(['#2 evaluated', '#3 stopped']);
    expect(rest.filter((name) => !name.startsWith('#'))).toEqual(['lo', 'x']);
    expect(rest[0]).toBe('lo');
  });

  test('repeats the text so far of a call in progress after an event, because clients clear theirs', async () => {
    const run = openRun();
    const feed = openEventFeed(run.source, 0, HEARTBEAT_MS);
    run.stream('Hel');
    expect(named((await feed.next()) ?? '')).toEqual(['Hel']);
    run.store('output_made');
    run.tell();
    run.stream('lo');
    expect(named((await feed.next()) ?? '')).toEqual(['#1 output_made', 'Hello']);
    run.stream('!');
    expect(named((await feed.next()) ?? '')).toEqual(['!']);
  });

  test('does not miss an event stored during a read', async () => {
    const run = openRun();
    const readEvents = run.source.readEvents;
    let readCount = 0;
    const source: EventSource = {
      ...run.source,
      readEvents: async (after, limit) => {
        const rows = await readEvents(after, limit);
        readCount += 1;
        if (readCount === 1) run.say('evaluated');
        if (readCount === 3) run.say('stopped');
        return rows;
      },
    };
    expect(await readAll(openEventFeed(source, 0, HEARTBEAT_MS))).toEqual(['#1 evaluated', '#2 stopped']);
  });

  test('sends each event once on many concurrent notifications', async () => {
    const run = openRun();
    const feed = openEventFeed(run.source, 0, HEARTBEAT_MS);
    for (let at = 0; at < 50; at++) run.say('evaluated');
    run.say('stopped');
    run.tell();
    expect(await readAll(feed)).toHaveLength(51);
  });

  test('sends a heartbeat when idle and then reads events without a notification', async () => {
    const run = openRun();
    const feed = openEventFeed(run.source, 0, HEARTBEAT_MS);
    const beat = feed.next();
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    expect(await beat).toBe(': still here\n\n');
    run.store('evaluated');
    expect(named((await feed.next()) ?? '')).toEqual(['#1 evaluated']);
    feed.close();
  });

  test('stays open for a paused run and ends immediately when closed', async () => {
    const run = openRun();
    run.store('waiting');
    const feed = openEventFeed(run.source, 0, HEARTBEAT_MS);
    expect(named((await feed.next()) ?? '')).toEqual(['#1 waiting']);
    const pending = feed.next();
    await vi.advanceTimersByTimeAsync(10);
    feed.close();
    expect(await pending).toBeNull();
    expect(run.followers.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends if the reader is too slow for the text, and a new feed returns the events', async () => {
    const run = openRun();
    run.store('output_made');
    const feed = openEventFeed(run.source, 0, HEARTBEAT_MS);
    for (let at = 0; at < 11; at++) run.text('x'.repeat(100_000));
    expect(await feed.next()).toBeNull();
    expect(run.followers.size).toBe(0);
    run.say('stopped');
    expect(await readAll(openEventFeed(run.source, 0, HEARTBEAT_MS))).toEqual(['#1 output_made', '#2 stopped']);
  });
});
