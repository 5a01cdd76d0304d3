import { z } from 'zod';
import { succeed } from '#lib/core/problem.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { deletedSchema, forceDeleteQuery, id, page } from '#lib/http/fields.ts';
import { idOf, nameOf, pagedByTime } from '#lib/http/parameters.ts';
import {
  changedWebhookViewSchema,
  listWebhookDeliveries,
  listWebhooks,
  webhookViewSchema,
} from '#lib/webhooks/queries.ts';
import { resendDelivery } from '#lib/webhooks/resend-delivery.ts';
import {
  deleteWebhook,
  saveWebhook,
  updateWebhook,
  webhookInputSchema,
  webhookPatchSchema,
} from '#lib/webhooks/save-webhook.ts';
import { webhookDeliverySchema } from '#lib/webhooks/schema.ts';
import { testWebhook } from '#lib/worker/webhooks/test-webhook.ts';

const webhook = component('Webhook', webhookViewSchema);

export const webhooksSchema = component('Webhooks', page(webhook));

export const changedWebhookSchema = component('ChangedWebhook', changedWebhookViewSchema);

const deleteWebhookQuery = forceDeleteQuery('webhook', 'experiments');

export const webhookTestSchema = component(
  'WebhookTest',
  z.object({
    ok: z.boolean(),
    message: z.string(),
    remedy: z.string().optional(),
    answered: z
      .enum(['score', 'decision'])
      .optional()
      .meta({ description: 'The response of the webhook, if it could be used.' }),
    score: z.number().min(0).max(1).optional(),
    decision: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Null if the webhook leaves the decision to others.' }),
    latencyMs: z.number(),
  }),
);

const deliveriesQuery = z.strictObject(pagedByTime);

export const deliveriesSchema = component('Deliveries', page(component('WebhookDelivery', webhookDeliverySchema)));

export const resentSchema = component('Resent', z.object({ id, state: z.literal('waiting') }));

export const webhookRoutes = {
  /** The list is complete and only for owners, because URLs of services may contain data that others must not see. */
  listWebhooks: defineRoute('GET /api/v1/webhooks', {
    summary: 'List webhooks, without secrets',
    role: 'owner',
    response: webhooksSchema,
    handle: async ({ context }) => succeed({ items: await listWebhooks(context), nextCursor: null }),
  }),
  createWebhook: defineRoute('POST /api/v1/webhooks', {
    summary: 'Add a webhook. A generated secret is shown once',
    role: 'owner',
    audit: 'created',
    body: component('WebhookInput', webhookInputSchema),
    status: 201,
    response: changedWebhookSchema,
    handle: async ({ context, actor, body }) => saveWebhook(context, actor, body),
  }),
  updateWebhook: defineRoute('PATCH /api/v1/webhooks/{name}', {
    summary: 'Change the URL or the secret of a webhook',
    role: 'owner',
    audit: 'changed',
    params: { name: nameOf('webhook') },
    body: component('WebhookChange', webhookPatchSchema),
    response: changedWebhookSchema,
    handle: async ({ context, actor, params, body }) => updateWebhook(context, actor, params.name, body),
  }),
  deleteWebhook: defineRoute('DELETE /api/v1/webhooks/{name}', {
    summary: 'Delete a webhook. 409 with the experiments that use it',
    role: 'owner',
    audit: 'deleted',
    params: { name: nameOf('webhook') },
    query: deleteWebhookQuery,
    response: deletedSchema,
    handle: async ({ context, actor, params, query }) => deleteWebhook(context, actor, params.name, query),
  }),
  /** Sends a sample to the webhook. A wrong response is reported as a regular result (`ok: false` with a remedy), not as an error. */
  testWebhook: defineRoute('POST /api/v1/webhooks/{name}/test', {
    summary: 'Send a sample to a webhook',
    role: 'owner',
    limit: 'test',
    audit: 'tested',
    params: { name: nameOf('webhook') },
    response: webhookTestSchema,
    handle: async ({ context, actor, params }) => testWebhook(context, actor, params.name),
  }),
  listDeliveries: defineRoute('GET /api/v1/webhooks/{name}/deliveries', {
    summary: 'List the deliveries of a webhook, newest first',
    role: 'owner',
    params: { name: nameOf('webhook') },
    query: deliveriesQuery,
    response: deliveriesSchema,
    handle: async ({ context, params, query }) => {
      const { cursor = null, limit } = query;
      return listWebhookDeliveries(context, params.name, { cursor, limit });
    },
  }),
  /** Makes the delivery due. The result appears in the list of deliveries. */
  resendDelivery: defineRoute('POST /api/v1/webhooks/{name}/deliveries/{id}/resend', {
    summary: 'Send a delivery again. 409 if there is nothing left to decide',
    role: 'owner',
    limit: 'test',
    audit: 'resent',
    params: { name: nameOf('webhook'), id: idOf('delivery') },
    status: 202,
    response: resentSchema,
    handle: async ({ context, actor, params }) =>
      resendDelivery(context, actor, { webhook: params.name, id: params.id }),
  }),
  /** Replaces the secret of the webhook and returns it once. The old one becomes invalid. */
  rotateWebhookSecret: defineRoute('POST /api/v1/webhooks/{name}/rotate', {
    summary: 'Replace the secret of a webhook. The new one is shown once',
    role: 'owner',
    audit: 'changed',
    params: { name: nameOf('webhook') },
    response: changedWebhookSchema,
    handle: async ({ context, actor, params }) => updateWebhook(context, actor, params.name, { newSecret: true }),
  }),
};
