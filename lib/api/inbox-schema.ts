import { z } from 'zod';
import { component } from '#lib/http/define-route.ts';
import { count } from '#lib/http/fields.ts';
import { optionalId, pagedByMoment } from '#lib/http/read-query.ts';
import { INBOX_SCOPES, inboxClaimSchema, WAITING_KINDS } from '#lib/inbox/inbox-item.ts';

export const claimedSchema = component(
  'Claimed',
  z.object({
    claim: inboxClaimSchema
      .nullable()
      .meta({ description: 'Who came first of all who are on it; null where the run does not wait.' }),
  }),
);

const windowId = z
  .uuid({ error: 'must be an id that the window keeps' })
  .toLowerCase()
  .meta({ description: 'An id that a window of the browser gave itself: tells one person’s windows apart.' });

export const claimQuery = z.strictObject({ window: windowId });

export const releasedSchema = component('Released', z.object({ released: z.boolean() }));

export const inboxQuery = z.strictObject({
  ...pagedByMoment,
  experimentId: optionalId,
  kind: z.enum(WAITING_KINDS, { error: `must be one of ${WAITING_KINDS.join(', ')}` }).optional(),
  scope: z
    .enum(INBOX_SCOPES, { error: `must be one of ${INBOX_SCOPES.join(', ')}` })
    .default('all')
    .meta({
      description:
        'free: what nobody else is on; mine: what this window is on; assigned: what you were asked to look at.',
    }),
  window: windowId.optional(),
});

export const inboxCountSchema = component(
  'InboxCount',
  z.object({
    waiting: count,
    lessonsToReview: count,
    assigned: z
      .object({ runs: count, lessons: count })
      .meta({ description: 'Of these, what whoever asks was asked to look at.' }),
  }),
);
