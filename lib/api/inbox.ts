import { z } from 'zod';
import { countAssigned } from '#lib/assignments/queries.ts';
import { personOf } from '#lib/auth/actor.ts';
import { succeed } from '#lib/core/problem.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { count } from '#lib/http/fields.ts';
import { idOf, optionalId, orNotFound, pagedByMoment } from '#lib/http/parameters.ts';
import { claimInboxItem, claimInputSchema, releaseInboxClaim } from '#lib/inbox/assign.ts';
import { inboxClaimSchema, inboxRunSchema, inboxSchema, listInbox } from '#lib/inbox/queries.ts';
import { INBOX_SCOPES, WAITING_KINDS } from '#lib/inbox/waiting-kinds.ts';
import { countLessonsToReview } from '#lib/lessons/lesson-status.ts';
import { countWaitingRuns, findRun } from '#lib/runs/queries.ts';

const claimedSchema = component(
  'Claimed',
  z.object({
    claim: inboxClaimSchema
      .nullable()
      .meta({ description: 'The first person who has this run open. Null if the run is not waiting.' }),
  }),
);

const windowId = z
  .uuid({ error: 'must be the id of the window' })
  .toLowerCase()
  .meta({ description: 'An id that the browser window generates. It identifies one of several windows of a person.' });

const claimQuery = z.strictObject({ window: windowId });

const releasedSchema = component('Released', z.object({ released: z.boolean() }));

const inboxQuery = z.strictObject({
  ...pagedByMoment,
  experimentId: optionalId,
  kind: choiceOf(WAITING_KINDS).optional(),
  scope: choiceOf(INBOX_SCOPES).default('all').meta({
    description:
      '`free`: items that no one else has open. `mine`: items that this window has open. `assigned`: items that are assigned to you.',
  }),
  window: windowId.optional(),
});

export const inboxCountSchema = component(
  'InboxCount',
  z.object({
    waiting: count,
    lessonsToReview: count,
    assigned: z.object({ runs: count, lessons: count }).meta({ description: 'How many of these are assigned to you.' }),
  }),
);

export const inboxRoutes = {
  claimRun: defineRoute('POST /api/v1/runs/{id}/claim', {
    summary: 'Show others that you are looking at a waiting run, for two minutes',
    role: 'reviewer',
    audit: { none: 'claims the item for two minutes' },
    params: { id: idOf('run') },
    body: component('ClaimInput', claimInputSchema),
    response: claimedSchema,
    handle: async ({ context, actor, params, body }) => claimInboxItem(context, actor, params.id, body),
  }),
  releaseRun: defineRoute('DELETE /api/v1/runs/{id}/claim', {
    summary: 'Stop showing that you are looking at a run',
    role: 'reviewer',
    audit: { none: 'claims the item for two minutes' },
    params: { id: idOf('run') },
    query: claimQuery,
    response: releasedSchema,
    handle: async ({ context, actor, params, query }) => releaseInboxClaim(context, actor, params.id, query.window),
  }),
  listInbox: defineRoute('GET /api/v1/inbox', {
    summary: 'List what waits for a person, longest first, with counts',
    role: 'viewer',
    query: inboxQuery,
    response: component('Inbox', inboxSchema),
    handle: async ({ context: { database, now }, actor, query }) => {
      const { window: windowId = null, cursor = null, ...filter } = query;
      const holder = { actorId: actor.id, actorName: actor.name, windowId, personId: personOf(actor) };
      return succeed(await listInbox(database, { ...filter, cursor }, holder, now()));
    },
  }),
  countInbox: defineRoute('GET /api/v1/inbox/count', {
    summary: 'Count the runs and lessons that wait for a person',
    role: 'viewer',
    response: inboxCountSchema,
    handle: async ({ context: { database }, actor }) => {
      const [waiting, lessonsToReview, assigned] = await Promise.all([
        countWaitingRuns(database),
        countLessonsToReview(database),
        countAssigned(database, personOf(actor)),
      ]);
      return succeed({ waiting, lessonsToReview, assigned });
    },
  }),
  getInboxRun: defineRoute('GET /api/v1/inbox/{id}', {
    summary: 'Get a waiting run with its history and settings',
    role: 'viewer',
    params: { id: idOf('run') },
    response: component('InboxRun', inboxRunSchema),
    handle: async ({ context: { database }, params }) => {
      const run = await findRun(database, params.id);
      return orNotFound(run && { run: run.record, experimentName: run.experimentName, settings: run.settings }, 'run');
    },
  }),
};
