import { assignmentsSchema } from '#lib/assignments/queries.ts';
import { personOf } from '#lib/auth/actor.ts';
import { currentRateLimits } from '#lib/auth/rate-limits.ts';
import { recordExport } from '#lib/auth/record-change.ts';
import { branchInputSchema, branchRun } from '#lib/batches/branch-run.ts';
import { findBatchQueuePosition, findQueuePosition } from '#lib/batches/queue-position.ts';
import { resumeBatch, stopBatch } from '#lib/batches/resume-batch.ts';
import { resumeInputSchema, resumeRun } from '#lib/batches/resume-run.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { isEndedStatus } from '#lib/core/run-statuses.ts';
import { IMPORT_LIMIT_BYTES } from '#lib/exchange/collect-histories.ts';
import { exportRuns } from '#lib/exchange/export-runs.ts';
import { importRuns } from '#lib/exchange/import-runs.ts';
import { runImportSchema } from '#lib/exchange/schema.ts';
import { downloadResponse } from '#lib/formats/download.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { idOf, notFound, numberOf, orNotFound, word } from '#lib/http/parameters.ts';
import { mediaType, receiveBody, unsupportedType } from '#lib/http/read-body.ts';
import { eventStream } from '#lib/http/streams.ts';
import { assign, assignmentInputSchema, findRunAssignments, unassign } from '#lib/inbox/assign.ts';
import { insightScope } from '#lib/insights/find-insights.ts';
import { listInsightRuns } from '#lib/insights/list-insight-runs.ts';
import { listRetrospectives, retrospectiveSchema } from '#lib/lessons/retrospectives/retrospectives.ts';
import { openEventFeed, readLastEventId } from '#lib/live/event-feed.ts';
import { followRun, textSoFar } from '#lib/live/live.ts';
import { sharedRead } from '#lib/live/shared-read.ts';
import { measureLag } from '#lib/monitoring/write-metrics.ts';
import { ablationInputSchema, findAblationView, requestAblation, stopAblation } from '#lib/runs/ablations.ts';
import { findBatch, findTimeLeft } from '#lib/runs/batches.ts';
import { callRecordSchema } from '#lib/runs/call-schema.ts';
import { findRunCall, listRunCalls } from '#lib/runs/calls.ts';
import { decide } from '#lib/runs/decide.ts';
import { decisionInputSchema } from '#lib/runs/decision-input.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { listExampleScores } from '#lib/runs/example-scores.ts';
import { firstEventNumber, listRunEvents } from '#lib/runs/list-run-events.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { findRun, findRunLessons, findRunProgress } from '#lib/runs/queries.ts';
import { findRescores, rescoreInputSchema, rescoreVersion } from '#lib/runs/rescores.ts';
import {
  queuePlaceSchema,
  runLessonsSchema,
  stopAllInputSchema,
  stopAllStateSchema,
  withShortTexts,
} from '#lib/runs/schema.ts';
import { isIndexing, searchOutputs } from '#lib/runs/search-outputs.ts';
import { findStopAll, stateOf, stopAllRuns, stopRun } from '#lib/runs/stop-runs.ts';
import { ablationReportSchema, ablationViewSchema } from '#lib/statistics/ablation-report.ts';
import { rescoreReportSchema } from '#lib/statistics/rescore-report.ts';
import { takeSlot } from '#lib/system/concurrency.ts';
import { reflectionInputSchema, requestReflection } from '#lib/worker/request-reflection.ts';
import { requestRetrospective } from '#lib/worker/request-retrospectives.ts';
import {
  batchQueueSchema,
  batchSchema,
  branchedSchema,
  callsQuery,
  callsSchema,
  decidedSchema,
  eventsQuery,
  lastStopAllSchema,
  outputHitsSchema,
  reflectedSchema,
  rescoresSchema,
  resumedBatchSchema,
  retrospectivesSchema,
  runQuery,
  runSchema,
  runsExportQuery,
  runsImportQuery,
  runsQuery,
  runsSchema,
  searchQuery,
  statusSchema,
  stoppedBatchSchema,
  triesQuery,
  triesSchema,
} from './runs-schema.ts';

/** Limited, because each hit requires a search in the texts of its run. */
const MAX_HITS = 50;

const TYPES = ['application/jsonl', 'application/x-ndjson'];

const HEARTBEAT_MS = 15_000;

/** Delay before a retry when the limit of streams is reached. One of the client's streams may have ended by then. */
const RETRY_AFTER_SECONDS = 10;

/** Shares one read of a run's events among all its followers. */
const readShared = sharedRead(async (runId: string, afterNumber: number, limit: number) =>
  listRunEvents((await getAppContext()).database, runId, afterNumber, limit),
);

const readProgress = sharedRead(async (runId: string) => findRunProgress((await getAppContext()).database, runId));

export const runRoutes = {
  searchRuns: defineRoute('GET /api/v1/search', {
    summary: 'Search ended runs by the words of their inputs and outputs',
    role: 'viewer',
    scope: ['lessons:read', 'runs:read'],
    limit: 'read',
    query: searchQuery,
    response: outputHitsSchema,
    handle: async ({ context: { database }, query }) => {
      const { q, experimentId = null, cursor = null, limit } = query;
      const [page, isBehind] = await Promise.all([
        searchOutputs(database, { query: q, experimentId, cursor, limit: Math.min(limit, MAX_HITS) }),
        isIndexing(database),
      ]);
      return succeed({ ...page, isIndexing: isBehind });
    },
  }),
  getBatch: defineRoute('GET /api/v1/batches/{id}', {
    summary: 'Get the progress and the report of a batch',
    role: 'viewer',
    params: { id: idOf('batch') },
    response: batchSchema,
    handle: async ({ context: { database, now }, params }) => {
      const batch = await findBatch(database, params.id);
      if (batch === null) return notFound('batch');
      const remaining = batch.counts.queued + batch.counts.running;
      return succeed({ ...batch, timeLeft: await findTimeLeft(database, batch.id, remaining, now()) });
    },
  }),
  stopBatch: defineRoute('POST /api/v1/batches/{id}/stop', {
    summary: 'Stop all runs of a batch that have not ended',
    role: 'editor',
    audit: ['stopped', 'decided'],
    params: { id: idOf('batch') },
    response: stoppedBatchSchema,
    handle: async ({ context, actor, params }) => stopBatch(context, actor, params.id),
  }),
  resumeBatch: defineRoute('POST /api/v1/batches/{id}/resume', {
    summary: 'Resume the failed and stopped runs of a batch',
    role: 'editor',
    limit: 'start',
    audit: 'resumed',
    params: { id: idOf('batch') },
    response: resumedBatchSchema,
    handle: async ({ context, actor, params }) => resumeBatch(context, actor, params.id),
  }),
  listRuns: defineRoute('GET /api/v1/runs', {
    summary: 'List runs, newest first',
    role: 'viewer',
    query: runsQuery,
    response: runsSchema,
    handle: async ({ context: { database, now }, query }) => {
      const { reading, models = null, days = null, cursor = null, limit, ...filter } = query;
      if (reading === undefined) {
        if (models !== null || days !== null)
          return fail('invalid', 'models and days can only be used with reading.', models === null ? 'days' : 'models');
        return succeed(await listRuns(database, { ...filter, cursor, limit }));
      }
      const { experimentId = null, ...others } = filter;
      const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
      if (other !== undefined) return fail('invalid', `${other} cannot be used with reading.`, other);
      const scope = await insightScope(database, { experimentId, models, days }, now());
      const { items, nextCursor } = await listInsightRuns(database, scope, { reading, cursor, limit });
      return succeed({ items, nextCursor });
    },
  }),
  /** This route bypasses proxy.ts, which would truncate bodies at 10 MB. `authorize` checks Host and Origin. */
  importRuns: defineRoute('POST /api/v1/runs/import', {
    summary: 'Import past runs, one attempt per line. A bad line is named and nothing is stored',
    role: 'editor',
    limit: 'import',
    audit: 'imported',
    query: runsImportQuery,
    upload: { types: ['application/jsonl', 'application/x-ndjson'], json: null },
    status: 201,
    response: component('RunImport', runImportSchema),
    handle: async ({ context, request, actor, query }) => {
      const type = mediaType(request);
      if (!TYPES.includes(type)) return unsupportedType(type, TYPES);
      const { name = null, dryRun, solvedFrom } = query;
      const imported = await receiveBody(request, { actor, limitBytes: IMPORT_LIMIT_BYTES }, (bytes) =>
        importRuns(context, actor, bytes, { name, dryRun, solvedFrom }),
      );
      // A dry run creates nothing, so the status is 200, not 201.
      return imported.ok && dryRun ? Response.json(imported.value) : imported;
    },
  }),
  exportRuns: defineRoute('GET /api/v1/export/runs', {
    summary: 'Export the ended runs of an experiment with their history, or as tables',
    role: 'viewer',
    limit: 'read',
    audit: 'exported',
    query: runsExportQuery,
    response: { types: ['application/x-ndjson', 'text/csv'] },
    handle: async ({ context, request, actor, query }) => {
      const download = await exportRuns(context, query.experimentId, query.format);
      if (!download.ok) return download;
      const { experimentId, format } = query;
      await recordExport(actor, { kind: 'experiment', id: experimentId }, { what: 'runs', format });
      return downloadResponse(request, download.value);
    },
  }),
  getRun: defineRoute('GET /api/v1/runs/{id}', {
    summary: 'Get a run with its history',
    role: 'viewer',
    params: { id: idOf('run') },
    query: runQuery,
    response: runSchema,
    handle: async ({ context: { database }, params, query }) => {
      const run = await findRun(database, params.id);
      if (run === null) return notFound('run');
      const record = query.texts === 'short' ? withShortTexts(run.record) : run.record;
      return succeed({ ...record, tuning: run.tuning });
    },
  }),
  deleteRun: defineRoute('DELETE /api/v1/runs/{id}', {
    summary: 'Delete a run. Its lessons stay',
    role: 'editor',
    audit: 'deleted',
    params: { id: idOf('run') },
    response: deletedSchema,
    handle: async ({ context, actor, params }) => deleteRun(context, actor, params.id),
  }),
  /** Returns 204 if nothing is left to send, so that browsers do not reconnect. */
  streamRunEvents: defineRoute('GET /api/v1/runs/{id}/events', {
    summary: 'Stream the events of a run. 204 if there is nothing left to send',
    role: 'viewer',
    params: { id: idOf('run') },
    query: eventsQuery,
    headers: [
      {
        name: 'Last-Event-ID',
        description: 'Number of the last event received. The stream resumes after it.',
      },
    ],
    response: { types: ['text/event-stream'] },
    handle: async ({ context: { database }, request, actor, params, query, watchAccess }) => {
      const last = readLastEventId(request.headers.get('last-event-id') ?? query.lastEventId ?? null);
      if (!last.ok) return last;
      const runId = params.id;
      const isOver = async (lastNumber: number) => {
        const progress = await readProgress(runId);
        return progress === null || (isEndedStatus(progress.status) && progress.eventNumber <= lastNumber);
      };
      const first = await firstEventNumber(database, runId);
      if (first === null) return notFound('run');
      // Earlier events are no longer stored, so they are skipped.
      const from = Math.max(last.value, first - 1);
      if (from > 0 && (await isOver(from))) return new Response(null, { status: 204 });
      if (request.method === 'HEAD') return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } });
      const readEvents = measureLag((afterNumber, limit) => readShared(runId, afterNumber, limit));
      const follow: Parameters<typeof openEventFeed>[0]['follow'] = (listener) => followRun(runId, listener);
      const source = { readEvents, isOver, textSoFar: () => textSoFar(runId), follow };
      const feed = openEventFeed(source, from, HEARTBEAT_MS);
      const stopWatching = await watchAccess(feed.close);
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
    },
  }),
  listRunCalls: defineRoute('GET /api/v1/runs/{id}/calls', {
    summary: 'List the model calls of a run, without their texts',
    role: 'viewer',
    params: { id: idOf('run') },
    query: callsQuery,
    response: callsSchema,
    handle: async ({ context, params, query }) => {
      const filter = { ...query, cursor: query.cursor ?? null };
      const listed = await listRunCalls(context, params.id, filter);
      return listed === null ? notFound('run') : succeed(listed.page);
    },
  }),
  getRunCall: defineRoute('GET /api/v1/runs/{id}/calls/{call}', {
    summary: 'Get a model call as it was sent and received, without keys',
    role: 'viewer',
    params: { id: idOf('run'), call: numberOf('call', 1) },
    response: component('Call', callRecordSchema),
    handle: async ({ context, params }) =>
      orNotFound(await findRunCall(context, params.id, Number(params.call)), 'call'),
  }),
  /** Runs that do not tune a prompt have no example scores. */
  listExampleScores: defineRoute('GET /api/v1/runs/{id}/tries', {
    summary: 'List the example scores of a tuning run by version and case',
    role: 'viewer',
    params: { id: idOf('run') },
    query: triesQuery,
    response: triesSchema,
    handle: async ({ context: { database }, params, query }) => {
      if ((await findRunProgress(database, params.id)) === null) return notFound('run');
      return succeed(
        await listExampleScores(database, params.id, {
          ...query,
          cursor: query.cursor ?? null,
          withTraces: query.include === 'trace',
        }),
      );
    },
  }),
  decideRun: defineRoute('POST /api/v1/runs/{id}/decisions', {
    summary: 'Decide on a waiting run, give a score, or override one',
    role: 'reviewer',
    audit: ['decided', 'scored'],
    params: { id: idOf('run') },
    body: component('DecisionInput', decisionInputSchema),
    response: decidedSchema,
    handle: async ({ context, actor, params, body }) => decide(context, actor, params.id, body),
  }),
  branchRun: defineRoute('POST /api/v1/runs/{id}/branch', {
    summary: 'Start a new run of the same case from the text of a version',
    role: 'editor',
    limit: 'start',
    audit: 'started',
    params: { id: idOf('run') },
    body: component('BranchInput', branchInputSchema),
    status: 201,
    response: branchedSchema,
    handle: async ({ context, actor, params, body }) => branchRun(context, actor, params.id, body, { watched: false }),
  }),
  requestReflection: defineRoute('POST /api/v1/runs/{id}/reflections', {
    summary: 'Request a critique of a version. It does not change how the run ended',
    role: 'reviewer',
    audit: 'requested',
    params: { id: idOf('run') },
    body: component('ReflectionInput', reflectionInputSchema),
    response: reflectedSchema,
    handle: async ({ context, request, actor, params, body }) =>
      requestReflection(context, actor, params.id, body, request.signal),
  }),
  rescoreVersion: defineRoute('POST /api/v1/runs/{id}/versions/{number}/rescore', {
    summary: 'Score a stored version again, up to 20 times',
    role: 'editor',
    limit: 'start',
    audit: 'rescored',
    params: { id: idOf('run'), number: numberOf('version', 0) },
    body: component('RescoreInput', rescoreInputSchema),
    status: 202,
    response: component('RescoreReport', rescoreReportSchema),
    handle: async ({ context, actor, params, body }) =>
      rescoreVersion(context, actor, params.id, Number(params.number), body),
  }),
  listRescores: defineRoute('GET /api/v1/runs/{id}/rescores', {
    summary: 'Get how much repeated scores of the versions differ',
    role: 'viewer',
    params: { id: idOf('run') },
    response: rescoresSchema,
    handle: async ({ context: { database }, params }) => {
      const stored = await loadRun(database, params.id, 'scores');
      if (stored === null) return notFound('run');
      return succeed({ items: await findRescores(database, stored) });
    },
  }),
  getAblation: defineRoute('GET /api/v1/runs/{id}/ablation', {
    summary:
      'Get how much each change of the winning prompt of a tuning run contributed, and what it takes to measure this',
    role: 'viewer',
    params: { id: idOf('run') },
    response: component('Ablation', ablationViewSchema),
    handle: async ({ context: { database }, params }) => {
      const stored = await loadRun(database, params.id, 'scores');
      return stored === null ? notFound('run') : succeed(await findAblationView(database, stored));
    },
  }),
  requestAblation: defineRoute('POST /api/v1/runs/{id}/ablation', {
    summary: 'Measure what each change of the winning prompt of an ended tuning run contributed',
    role: 'editor',
    limit: 'start',
    audit: 'measured',
    params: { id: idOf('run') },
    body: component('AblationInput', ablationInputSchema),
    status: 202,
    response: component('AblationReport', ablationReportSchema),
    handle: async ({ context, actor, params, body }) => requestAblation(context, actor, params.id, body),
  }),
  stopAblation: defineRoute('POST /api/v1/runs/{id}/ablation/stop', {
    summary: 'Stop measuring the changes of a prompt',
    role: 'editor',
    audit: 'measured',
    params: { id: idOf('run') },
    response: component('AblationReport', ablationReportSchema),
    handle: async ({ context, actor, params }) => stopAblation(context, actor, params.id),
  }),
  requestRetrospective: defineRoute('POST /api/v1/runs/{id}/retrospective', {
    summary: 'Start a retrospective of an ended run, which proposes lessons',
    role: 'editor',
    limit: 'start',
    audit: 'requested',
    params: { id: idOf('run') },
    status: 202,
    response: component('Retrospective', retrospectiveSchema),
    handle: async ({ context, actor, params }) => requestRetrospective(context, actor, params.id),
  }),
  listRetrospectives: defineRoute('GET /api/v1/runs/{id}/retrospectives', {
    summary: 'List the retrospectives of a run with their lessons',
    role: 'viewer',
    params: { id: idOf('run') },
    response: retrospectivesSchema,
    handle: async ({ context: { database }, params }) => {
      const items = await listRetrospectives(database, params.id);
      if (items.length === 0 && (await findRun(database, params.id)) === null) return notFound('run');
      return succeed({ items });
    },
  }),
  getRunLessons: defineRoute('GET /api/v1/runs/{id}/lessons', {
    summary: 'List the lessons that a run recalled and wrote',
    role: 'viewer',
    params: { id: idOf('run') },
    response: component('RunLessons', runLessonsSchema),
    handle: async ({ context: { database }, params }) => {
      if ((await database.prisma.run.count({ where: { id: params.id } })) === 0) return notFound('run');
      return succeed(await findRunLessons(database, params.id));
    },
  }),
  /** Returns immediately. Workers stop the runs one by one. */
  stopAllRuns: defineRoute('POST /api/v1/runs/stop-all', {
    summary: 'Stop all queued and running runs. Each can be resumed',
    role: 'editor',
    audit: 'stopped',
    body: component('StopAllInput', stopAllInputSchema),
    status: 202,
    response: component('StopAll', stopAllStateSchema),
    handle: async ({ context, actor, body }) => stopAllRuns(context, actor, body),
  }),
  getStopAll: defineRoute('GET /api/v1/runs/stop-all', {
    summary: 'Get the progress of stopping all runs',
    role: 'viewer',
    response: lastStopAllSchema,
    handle: async ({ context: { database } }) => {
      const stopRequest = await findStopAll(database);
      return succeed({ last: stopRequest === null ? null : stateOf(stopRequest) });
    },
  }),
  getRunQueue: defineRoute('GET /api/v1/runs/{id}/queue', {
    summary: 'Get the position of a run in the queue and why it waits',
    role: 'viewer',
    params: { id: idOf('run') },
    response: component('QueuePlace', queuePlaceSchema),
    handle: async ({ context, params }) => {
      const position = await findQueuePosition(context, params.id);
      return position === null ? notFound('run') : succeed(position);
    },
  }),
  getBatchQueue: defineRoute('GET /api/v1/batches/{id}/queue', {
    summary: 'Get why the queued runs of a batch wait',
    role: 'viewer',
    params: { id: idOf('batch') },
    response: batchQueueSchema,
    handle: async ({ context, params }) => {
      const batch = await findBatch(context.database, params.id);
      if (batch === null) return notFound('batch');
      return succeed({ queued: batch.counts.queued, first: await findBatchQueuePosition(context, params.id) });
    },
  }),
  stopRun: defineRoute('POST /api/v1/runs/{id}/stop', {
    summary: 'Stop a run',
    role: 'reviewer',
    audit: 'decided',
    params: { id: idOf('run') },
    response: statusSchema,
    handle: async ({ context, actor, params }) => stopRun(context, actor, params.id),
  }),
  resumeRun: defineRoute('POST /api/v1/runs/{id}/resume', {
    summary: 'Resume a run, with a new budget if one is sent',
    role: 'editor',
    limit: 'start',
    audit: 'resumed',
    params: { id: idOf('run') },
    body: component('ResumeInput', resumeInputSchema),
    bodyOptional: true,
    response: statusSchema,
    handle: async ({ context, actor, params, body }) => resumeRun(context, actor, params.id, body),
  }),
  getRunAssignments: defineRoute('GET /api/v1/runs/{id}/assignments', {
    summary: 'List who is assigned to a run and who can be',
    role: 'viewer',
    params: { id: idOf('run') },
    response: component('Assignments', assignmentsSchema),
    handle: async ({ context, actor, params }) => findRunAssignments(context, actor, params.id),
  }),
  assignRun: defineRoute('POST /api/v1/runs/{id}/assignments', {
    summary: 'Assign a run to a member',
    role: 'reviewer',
    audit: 'assigned',
    params: { id: idOf('run') },
    body: component('AssignmentInput', assignmentInputSchema),
    response: component('Assignments', assignmentsSchema),
    handle: async ({ context, actor, params, body }) => assign(context, actor, { kind: 'run', id: params.id }, body),
  }),
  unassignRun: defineRoute('DELETE /api/v1/runs/{id}/assignments/{memberId}', {
    summary: 'Remove an assignment from a run',
    role: 'reviewer',
    audit: 'unassigned',
    params: { id: idOf('run'), memberId: word },
    response: component('Assignments', assignmentsSchema),
    handle: async ({ context, actor, params }) =>
      unassign(context, actor, { kind: 'run', id: params.id }, params.memberId),
  }),
};

function tooManyStreams(streams: number): Result<never> {
  const message = `You already follow ${streams} runs, which is the most at a time. Close some, or poll the runs instead.`;
  return { ok: false, problem: { ...fail('rate_limited', message).problem, retryAfterSeconds: RETRY_AFTER_SECONDS } };
}
