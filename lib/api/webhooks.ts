import { getAppContext } from '#lib/context/open-app-context.ts';
import { succeed } from '#lib/core/problem.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { idOf, nameOf } from '#lib/http/path-params.ts';
import { deleteWebhook } from '#lib/webhooks/delete-webhook.ts';
import { listWebhookDeliveries } from '#lib/webhooks/list-webhook-deliveries.ts';
import { listWebhooks } from '#lib/webhooks/list-webhooks.ts';
import { resendDelivery } from '#lib/webhooks/resend-delivery.ts';
import { saveWebhook } from '#lib/webhooks/save-webhook.ts';
import { updateWebhook } from '#lib/webhooks/update-webhook.ts';
import { webhookInputSchema, webhookPatchSchema } from '#lib/webhooks/webhook-input.ts';
import { testWebhook } from '#lib/worker/webhooks/test-webhook.ts';
import {
  changedWebhookSchema,
  deleteWebhookQuery,
  deliveriesQuery,
  deliveriesSchema,
  resentSchema,
  webhooksSchema,
  webhookTestSchema,
} from './webhooks-schema.ts';

export const webhookRoutes = {
  /** The list is the whole one, and an owner's: addresses of services may hold what others should not see. */
  listWebhooks: defineRoute('GET /api/v1/webhooks', {
    summary: 'List the webhooks with the experiments that name them; secrets never come back',
    role: 'owner',
    scope: 'runs:read',
    response: webhooksSchema,
    handle: async () => succeed({ items: await listWebhooks(await getAppContext()), nextCursor: null }),
  }),
  createWebhook: defineRoute('POST /api/v1/webhooks', {
    summary: 'Store a webhook; a secret that is made for it is answered this once',
    role: 'owner',
    scope: 'runs:write',
    audit: 'created',
    body: component('WebhookInput', webhookInputSchema),
    status: 201,
    response: changedWebhookSchema,
    handle: async ({ actor, body }) => saveWebhook(await getAppContext(), actor, body),
  }),
  updateWebhook: defineRoute('PATCH /api/v1/webhooks/{name}', {
    summary: 'Change the address or the secret of a webhook',
    role: 'owner',
    scope: 'runs:write',
    audit: 'changed',
    params: { name: nameOf('webhook') },
    body: component('WebhookChange', webhookPatchSchema),
    response: changedWebhookSchema,
    handle: async ({ actor, params, body }) => updateWebhook(await getAppContext(), actor, params.name, body),
  }),
  deleteWebhook: defineRoute('DELETE /api/v1/webhooks/{name}', {
    summary: 'Delete a webhook; 409 with the experiments that name it',
    role: 'owner',
    scope: 'runs:write',
    audit: 'deleted',
    params: { name: nameOf('webhook') },
    query: deleteWebhookQuery,
    response: deletedSchema,
    handle: async ({ actor, params, query }) => deleteWebhook(await getAppContext(), actor, params.name, query),
  }),
  /** Sends the webhook a sample. One that does not answer as it should is an answer (`ok: false` with a remedy), not an error. */
  testWebhook: defineRoute('POST /api/v1/webhooks/{name}/test', {
    summary: 'Send a webhook a sample, once',
    role: 'owner',
    scope: 'runs:write',
    limit: 'test',
    audit: 'tested',
    params: { name: nameOf('webhook') },
    response: webhookTestSchema,
    handle: async ({ actor, params }) => testWebhook(await getAppContext(), actor, params.name),
  }),
  listDeliveries: defineRoute('GET /api/v1/webhooks/{name}/deliveries', {
    summary: 'What a webhook was told of runs that wait, and what came of it, newest first',
    role: 'owner',
    scope: 'runs:read',
    params: { name: nameOf('webhook') },
    query: deliveriesQuery,
    response: deliveriesSchema,
    handle: async ({ params, query }) => {
      const { cursor = null, limit } = query;
      return listWebhookDeliveries(await getAppContext(), params.name, { cursor, limit });
    },
  }),
  /** Makes the delivery due; what comes of it stands in the list of deliveries. */
  resendDelivery: defineRoute('POST /api/v1/webhooks/{name}/deliveries/{id}/resend', {
    summary: 'Send a delivery again whose run still waits for it; 409 where there is nothing left to decide',
    role: 'owner',
    scope: 'runs:write',
    limit: 'test',
    audit: 'resent',
    params: { name: nameOf('webhook'), id: idOf('delivery') },
    status: 202,
    response: resentSchema,
    handle: async ({ actor, params }) =>
      resendDelivery(await getAppContext(), actor, { webhook: params.name, id: params.id }),
  }),
  /** Gives the webhook a new secret, which is answered this once. The old one holds no longer. */
  rotateWebhookSecret: defineRoute('POST /api/v1/webhooks/{name}/rotate', {
    summary: 'Give a webhook a new secret, answered this once; the old one holds no longer',
    role: 'owner',
    scope: 'runs:write',
    audit: 'changed',
    params: { name: nameOf('webhook') },
    response: changedWebhookSchema,
    handle: async ({ actor, params }) => updateWebhook(await getAppContext(), actor, params.name, { newSecret: true }),
  }),
};
