'use client';

import { MayTextLink } from '#components/access/may-link.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';

/** Which of the installation's webhooks scores. */
export function CriterionConfigWebhook({ criterion, webhooks, errorAt, onChange }: CriterionConfigProps) {
  const isGone = criterion.webhook !== '' && !webhooks.includes(criterion.webhook);
  return (
    <>
      <Field
        label="Webhook"
        help={
          <>
            {webhooks.length === 0 ? 'None is registered yet. ' : null}An owner registers them under{' '}
            <MayTextLink needs="owner" href="/settings">
              Settings
            </MayTextLink>
            .
          </>
        }
        error={errorAt('config.name')}
      >
        <Select value={criterion.webhook} onChange={(event) => onChange({ webhook: event.target.value })}>
          <option value="">choose one</option>
          {isGone ? <option value={criterion.webhook}>{criterion.webhook} (not there any more)</option> : null}
          {webhooks.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <p className="text-ink-2 text-sm">
        It is sent the output with its input, metadata and reference, and answers{' '}
        <code>{'{ score, reason, feedback, issues, suggestions }'}</code>; a score from 0 to 1 is enough. What it says
        is told to models, but for what quotes the reference.
      </p>
    </>
  );
}
