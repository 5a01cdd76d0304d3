import { defineCriterion } from './definition.ts';

/** Scored by a service of the operator that is registered under this name. */
export const webhookCriterion = defineCriterion({
  kind: 'webhook',
  label: 'Webhook',
  name: 'webhook',
  summary: ({ name }) => `scored by the webhook ${name}`,
  fields: { name: { type: 'webhook', label: 'Webhook' } },
  note: () =>
    'Hone sends the output with its input, metadata and reference. The service answers with `{ score, reason, feedback, issues, suggestions }`. Only `score`, from 0 to 1, is required. Models see the answer, except for text that quotes the reference.',
  usesReference: () => true,
  webhook: ({ name }) => name,
  remedy: 'Make sure that the service returns a score. Then resume the run to send the request again.',
});
