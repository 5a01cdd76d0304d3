'use client';

import { Field, Input } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';

/** Which of the installation's webhooks scores. */
export function CriterionConfigWebhook({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <>
      <Field label="Webhook" help="Its name, as under Settings" error={errorAt('config.name')}>
        <Input value={criterion.webhook} onChange={(event) => onChange({ webhook: event.target.value })} />
      </Field>
      <p className="sm muted">
        It is sent the output with its input, metadata and reference, and answers{' '}
        {'{ score, reason, feedback, issues, suggestions }'}; a score from 0 to 1 is enough. What it says is told to
        models, but for what quotes the reference.
      </p>
    </>
  );
}
