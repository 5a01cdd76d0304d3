import { z } from 'zod';
import { component } from '#lib/http/define-route.ts';
import { id, page, time } from '#lib/http/fields.ts';
import { pagedByTime } from '#lib/http/read-query.ts';
import { webhookDeliverySchema } from '#lib/webhooks/webhook-delivery.ts';

const webhook = component(
  'Webhook',
  z.object({
    name: z.string(),
    url: z.string(),
    usedBy: z.array(z.object({ id, name: z.string() })),
    createdAt: time,
    updatedAt: time,
  }),
);

export const webhooksSchema = component('Webhooks', page(webhook));

export const changedWebhookSchema = component(
  'ChangedWebhook',
  webhook.extend({
    secret: z.string().nullable().meta({ description: 'Only where it was just made.' }),
  }),
);

export const deleteWebhookQuery = z.strictObject({
  evenInUse: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Also one that experiments name; without it the answer tells which do.' }),
});

export const webhookTestSchema = component(
  'WebhookTest',
  z.object({
    ok: z.boolean(),
    message: z.string(),
    remedy: z.string().optional(),
    answered: z
      .enum(['score', 'decision'])
      .optional()
      .meta({ description: 'What it answered with, where that could be used.' }),
    score: z.number().min(0).max(1).optional(),
    decision: z.string().nullable().optional().meta({ description: 'null where it leaves the decision to others.' }),
    latencyMs: z.number(),
  }),
);

export const deliveriesQuery = z.strictObject(pagedByTime);

export const deliveriesSchema = component('Deliveries', page(component('WebhookDelivery', webhookDeliverySchema)));

export const resentSchema = component('Resent', z.object({ id, state: z.literal('waiting') }));
