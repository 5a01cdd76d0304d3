import { z } from 'zod';
import type { DatabaseClient } from '#lib/database/database.ts';
import { readEventLines, type StoredEvent } from './event-lines.ts';
import { EVENTS_IN_ROW } from './worker-queries.ts';

/** An event as earlier versions stored it in the row of its run. The time is omitted if it is that of the event before. */
const earlierEventInRow = z.tuple([z.int(), z.string(), z.unknown(), z.int().optional()]);

/** Parses the events in the row of a run. */
function readEvents({ events, eventLines }: { events: readonly string[]; eventLines: string }): StoredEvent[] {
  let latestMs = 0;
  const earlier = events.map((json) => {
    const [number, type, data, atMs = latestMs] = earlierEventInRow.parse(JSON.parse(json));
    latestMs = atMs;
    return { number, type, data, at: new Date(atMs) };
  });
  return [...earlier, ...readEventLines(eventLines)];
}

/**
 * Returns the events of a run after a number, in order. The latest are in its row, earlier ones in pages. Earlier versions stored events in
 * other forms, which are never changed.
 */
export async function listRunEvents(
  { prisma }: DatabaseClient,
  runId: string,
  afterNumber: number,
  limit: number,
): Promise<StoredEvent[]> {
  const run = await prisma.run.findUnique({
    where: { id: runId },
    select: { events: true, eventLines: true, eventNumber: true },
  });
  if (run === null || run.eventNumber <= afterNumber) return [];
  const inRow = readEvents(run).filter(({ number }) => number > afterNumber);
  if (inRow.length === run.eventNumber - afterNumber) return inOrder(inRow, limit);
  // Two pages in a row have at least `EVENTS_IN_ROW` events, unless a save has more.
  const pageLimit = 2 * Math.ceil(limit / EVENTS_IN_ROW) + 1;
  const [rows, pages] = await Promise.all([
    prisma.runEvent.findMany({
      where: { runId, number: { gt: afterNumber } },
      orderBy: { number: 'asc' },
      take: limit,
      omit: { runId: true },
    }),
    prisma.runEventPage.findMany({
      where: { runId, lastNumber: { gt: afterNumber } },
      orderBy: { lastNumber: 'asc' },
      take: pageLimit,
    }),
  ]);
  const isCut = pages.length === pageLimit;
  const lastNumber = isCut ? (pages.at(-1)?.lastNumber ?? 0) : run.eventNumber;
  const inPages = pages.flatMap(({ lines }) => readEventLines(lines));
  const found = [...rows, ...inPages, ...inRow].filter(({ number }) => number > afterNumber && number <= lastNumber);
  return inOrder(found, limit);
}

/** Sorts events by number. Events that were moved between two reads are in both, and are returned once. */
function inOrder(events: readonly StoredEvent[], limit: number): StoredEvent[] {
  const byNumber = new Map(events.map((event) => [event.number, event]));
  return [...byNumber.values()].toSorted((one, other) => one.number - other.number).slice(0, limit);
}

/** Returns the number of the run's first stored event, or of its next event if none is stored. Null if the run does not exist. */
export async function firstEventNumber({ prisma }: DatabaseClient, runId: string): Promise<number | null> {
  const [run, row, page] = await Promise.all([
    prisma.run.findUnique({ where: { id: runId }, select: { eventNumber: true, events: true, eventLines: true } }),
    prisma.runEvent.findFirst({ where: { runId }, orderBy: { number: 'asc' }, select: { number: true } }),
    prisma.runEventPage.findFirst({ where: { runId }, orderBy: { lastNumber: 'asc' } }),
  ]);
  if (run === null) return null;
  const stored = [...(row === null ? [] : [row]), ...readEventLines(page?.lines ?? ''), ...readEvents(run)];
  return stored.reduce((first, { number }) => Math.min(first, number), run.eventNumber + 1);
}
