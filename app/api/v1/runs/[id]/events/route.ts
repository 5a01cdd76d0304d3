import { findRunProgress } from '#lib/db/find-run-progress.ts';
import { firstEventNumber, listRunEvents } from '#lib/db/list-run-events.ts';
import { fail, type Result } from '#lib/reflection/problem.ts';
import { openEventFeed } from '#lib/runs/event-feed.ts';
import { readLastEventId } from '#lib/runs/event-frames.ts';
import { followRun } from '#lib/runs/live.ts';
import { measureLag } from '#lib/runs/metrics/measure-lag.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { sharedRead } from '#lib/runs/shared-read.ts';
import { takeSlot } from '#lib/runs/slots.ts';
import { authorize } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import { currentRateLimits } from '#lib/team/rate-limits.ts';
import { watchAuthorization } from '#lib/team/watch-authorization.ts';
import { answer } from '../../../answer.ts';
import { eventsQuery } from '../../../queries.ts';
import { notFound, readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';
import { eventStream } from './event-stream.ts';

const HEARTBEAT_MS = 15_000;
/** Who follows so many runs may have one end meanwhile. */
const RETRY_AFTER_SECONDS = 10;
const ENDED = ['finished', 'failed', 'stopped'];

/** Of many people on one run, one reads for all. */
const readShared = sharedRead(async (runId: string, afterNumber: number, limit: number) =>
  listRunEvents((await getWorkshop()).database, runId, afterNumber, limit),
);
const readProgress = sharedRead(async (runId: string) => findRunProgress((await getWorkshop()).database, runId));

/** Nothing left to send answers 204, on which a browser does not come back. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/runs/{id}/events', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const query = readQuery(request, eventsQuery);
    if (!query.ok) return query;
    const last = readLastEventId(request.headers.get('last-event-id') ?? query.value.lastEventId ?? null);
    if (!last.ok) return last;

    const runId = id.value;
    const { database } = await getWorkshop();
    const isOver = async (lastNumber: number) => {
      const progress = await readProgress(runId);
      return progress === null || (ENDED.includes(progress.status) && progress.eventNumber <= lastNumber);
    };
    const first = await firstEventNumber(database, runId);
    if (first === null) return notFound('run');
    // Those before it are kept no longer: nobody waits for them.
    const from = Math.max(last.value, first - 1);
    if (from > 0 && (await isOver(from))) return new Response(null, { status: 204 });
    if (request.method === 'HEAD') return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } });

    const readEvents = measureLag((afterNumber, limit) => readShared(runId, afterNumber, limit));
    const follow: Parameters<typeof openEventFeed>[0]['follow'] = (listener) => followRun(runId, listener);
    const feed = openEventFeed({ readEvents, isOver, follow }, from, HEARTBEAT_MS);
    const stopWatching = await watchAuthorization('GET /api/v1/runs/{id}/events', feed.close);
    const { streams } = currentRateLimits().rates;
    const giveBack = takeSlot('stream', personOf(actor), streams === 0 ? Number.POSITIVE_INFINITY : streams);
    const end = () => {
      stopWatching();
      giveBack?.();
    };
    if (giveBack !== null) return eventStream(feed, request.signal, end);
    end();
    feed.close();
    return tooManyStreams(streams);
  });
}

function tooManyStreams(streams: number): Result<never> {
  const message = `You already follow ${streams} runs, which is the most at a time. Close some, or read the runs themselves from time to time.`;
  return { ok: false, problem: { ...fail('rate_limited', message).problem, retryAfterSeconds: RETRY_AFTER_SECONDS } };
}
