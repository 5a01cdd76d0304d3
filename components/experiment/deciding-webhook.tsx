'use client';

import { MayTextLink } from '#components/access/may-link.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import type { FormPartProps } from './form-part-props.ts';

/** Which of the installation's webhooks is asked beside the people, if any. */
export function DecidingWebhook({ draft, change, errorAt, webhooks }: FormPartProps & { webhooks: readonly string[] }) {
  const { decidingWebhook: chosen } = draft;
  return (
    <Field
      label="A webhook is asked too"
      help={
        <>
          Whenever a run waits for a verdict; the first answer decides.{' '}
          {webhooks.length === 0 ? 'None is registered yet. ' : null}An owner registers them under{' '}
          <MayTextLink needs="owner" href="/settings">
            Settings
          </MayTextLink>
          .
        </>
      }
      error={errorAt('callbacks.webhook')}
    >
      <Select value={chosen} onChange={(event) => change({ decidingWebhook: event.target.value })}>
        <option value="">none</option>
        {chosen === '' || webhooks.includes(chosen) ? null : (
          <option value={chosen}>{chosen} (not there any more)</option>
        )}
        {webhooks.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
