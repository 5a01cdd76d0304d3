import { z } from 'zod';
import type { DatabaseClient } from '#lib/database/database.ts';

/** `at`: time when the event was saved. */
type StoredEvent = { number: number; type: string; data: unknown; at: Date };

/** An event as stored in the row of its run. The time is omitted if it is that of the event before. */
const eventInRow = z.tuple([z.int(), z.string(), z.unknown(), z.int().optional()]);

/** Parses the events in the row of a run. */
function readEvents(events: readonly string[]): StoredEvent[] {
  let latestMs = 0;
  return events.map((json) => {
    const [number, type, data, atMs = latestMs] = eventInRow.parse(JSON.parse(json));
    latestMs = atMs;
    return { number, type, data, at: new Date(atMs) };
  });
}

/** Returns the events of a run after a number, in order. */
export async function listRunEvents(
  { prisma }: DatabaseClient,
  runId: string,
  afterNumber: number,
  limit: number,
): Promise<StoredEvent[]> {
  const run = await prisma.run.findUnique({ where: { id: runId }, select: { events: true, eventNumber: true } });
  if (run === null || run.eventNumber <= afterNumber) return [];
  const latest = readEvents(run.events).filter(({ number }) => number > afterNumber);
  if (latest[0]?.number === afterNumber + 1) return latest.slice(0, limit);
  const earlier = await prisma.runEvent.findMany({
    where: { runId, number: { gt: afterNumber } },
    orderBy: { number: 'asc' },
    take: limit,
    omit: { runId: true },
  });
  // Events moved between the two reads are in both results.
  const byNumber = new Map([...earlier, ...latest].map((event) => [event.number, event]));
  return [...byNumber.values()].toSorted((one, other) => one.number - other.number).slice(0, limit);
}

/** Returns the number of the run's first stored event, or of its next event if none is stored. Null if the run does not exist. */
export async function firstEventNumber({ prisma }: DatabaseClient, runId: string): Promise<number | null> {
  const [run, earlier] = await Promise.all([
    prisma.run.findUnique({ where: { id: runId }, select: { eventNumber: true, events: true } }),
    prisma.runEvent.findFirst({ where: { runId }, orderBy: { number: 'asc' }, select: { number: true } }),
  ]);
  if (run === null) return null;
  const [latest] = readEvents(run.events.slice(0, 1));
  return earlier?.number ?? latest?.number ?? run.eventNumber + 1;
}
