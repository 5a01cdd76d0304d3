import { z } from 'zod';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { defineCriterion } from './definition.ts';

/** Scored by a service of the operator's own, registered under this name. */
export const webhookCriterion = defineCriterion({
  kind: 'webhook',
  config: z.strictObject({ name: nameSchema }),
  label: 'a webhook of yours',
  name: 'webhook',
  summary: ({ name }) => `scored by the webhook ${name}`,
  fields: { name: { type: 'webhook', label: 'Webhook' } },
  note: () =>
    'It is sent the output with its input, metadata and reference, and answers `{ score, reason, feedback, issues, suggestions }`; a score from 0 to 1 is enough. What it says is told to models, but for what quotes the reference.',
  usesReference: () => true,
  webhook: ({ name }) => name,
  remedy: 'See that the service answers with a score, then resume the run: it is asked again.',
});
