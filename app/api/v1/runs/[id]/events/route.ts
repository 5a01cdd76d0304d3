import { findRunProgress } from '#lib/db/find-run-progress.ts';
import { listRunEvents } from '#lib/db/list-run-events.ts';
import { openEventFeed } from '#lib/runs/event-feed.ts';
import { readLastEventId } from '#lib/runs/event-frames.ts';
import { followRun } from '#lib/runs/live.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { eventsQuery } from '../../../queries.ts';
import { notFound, readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';
import { eventStream } from './event-stream.ts';

const HEARTBEAT_MS = 15_000;
const ENDED = ['finished', 'failed', 'stopped'];

/** Nothing left to send answers 204, on which a browser does not come back. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}/events', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const query = readQuery(request, eventsQuery);
    if (!query.ok) return query;
    const last = readLastEventId(request.headers.get('last-event-id') ?? query.value.lastEventId ?? null);
    if (!last.ok) return last;

    const runId = id.value;
    const { database } = await getWorkshop();
    const isOver = async (lastNumber: number) => {
      const progress = await findRunProgress(database, runId);
      return progress === null || (ENDED.includes(progress.status) && progress.eventNumber <= lastNumber);
    };
    if ((await findRunProgress(database, runId)) === null) return notFound('run');
    if (last.value > 0 && (await isOver(last.value))) return new Response(null, { status: 204 });
    if (request.method === 'HEAD') return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } });

    const readEvents = (afterNumber: number, limit: number) => listRunEvents(database, runId, afterNumber, limit);
    const follow: Parameters<typeof openEventFeed>[0]['follow'] = (listener) => followRun(runId, listener);
    return eventStream(openEventFeed({ readEvents, isOver, follow }, last.value, HEARTBEAT_MS), request.signal);
  });
}
