'use client';

import { RoleTextLink } from '#components/access/role-link.tsx';
import { Field, FieldGrid, Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { PAUSE_RULES, TIMEOUT_RULES } from '#lib/core/settings.ts';
import { pauseLabel, TIMEOUT_LABELS } from './form-summary.ts';
import { CheckField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';

/** Edits when reviewers or a webhook decide, and the budgets of a run. */
export function PeopleFields() {
  const { mode, callbacks } = useSettingsForm().settings;
  return (
    <>
      <FieldGrid>
        <SelectField
          path="callbacks.pause"
          label="Pause for review"
          options={PAUSE_RULES}
          labelOf={(rule) => pauseLabel(rule, mode)}
        />
        <DecidingWebhook />
      </FieldGrid>
      {mode === 'tune' ? null : (
        <CheckField
          path="callbacks.review.drafts"
          label={
            mode === 'retry' ? 'Review each attempt before it is scored' : 'Review the first draft before it is scored'
          }
          help="The run pauses before it spends anything on scoring."
        />
      )}
      {mode === 'retry' ? null : (
        <CheckField
          path="callbacks.review.revisions"
          label={
            mode === 'tune' ? 'Review each proposal before it is tested' : 'Review each revision before it is scored'
          }
          help="A reviewer sees the changes and accepts all or some of them."
        />
      )}
      {mode === 'retry' ? (
        <CheckField
          path="callbacks.escalate"
          label="Escalate unsolved runs to a reviewer"
          help="If the last attempt fails, the run waits for a reviewer instead of ending."
        />
      ) : null}
      <FieldGrid>
        <NumberField
          path="callbacks.timeoutSeconds"
          label="Timeout (seconds)"
          help="Leave empty to wait without a limit."
        />
        {callbacks.timeoutSeconds === null ? null : (
          <SelectField
            path="callbacks.onTimeout"
            label="After the timeout"
            options={TIMEOUT_RULES}
            labelOf={(rule) => TIMEOUT_LABELS[rule]}
          />
        )}
      </FieldGrid>
      <FieldGrid>
        <NumberField
          path="budget.maxCalls"
          label="Budget per run (calls)"
          help="Includes failed calls. Leave empty for none."
        />
        <NumberField path="budget.maxCostUsd" label="Budget per run ($)" help="Leave empty for none." />
        <NumberField path="budget.maxTokens" label="Budget per run (tokens)" help="Leave empty for none." />
        <NumberField
          path="budget.maxSeconds"
          label="Budget per run (seconds)"
          help="Does not include waiting for reviewers. Leave empty for none."
        />
        <NumberField
          path="budget.maxExperimentCostUsd"
          label="Budget for all runs ($)"
          help="Total of the experiment, including failed runs. Checked before each call. Leave empty for none."
        />
        <NumberField
          path="budget.maxExperimentTokens"
          label="Budget for all runs (tokens)"
          help="Leave empty for none."
        />
      </FieldGrid>
    </>
  );
}

/** Selects a webhook that decides in parallel with the reviewers. */
function DecidingWebhook() {
  const { choices, settings, set } = useSettingsForm();
  const { webhooks } = choices;
  const chosen = settings.callbacks.webhook;
  return (
    <Field
      label="Webhook"
      help={
        <>
          The webhook and the reviewers get each decision request at the same time. The first answer wins.{' '}
          {webhooks.length === 0 ? 'There are no webhooks yet. ' : null}An owner adds webhooks under{' '}
          <RoleTextLink needs="owner" href="/settings#webhooks">
            Settings
          </RoleTextLink>
          .
        </>
      }
      path="callbacks.webhook"
    >
      <Select value={chosen ?? ''} onValue={(value) => set('callbacks.webhook', value === '' ? null : value)}>
        <option value="">none</option>
        {chosen === null || webhooks.includes(chosen) ? null : <option value={chosen}>{chosen} (deleted)</option>}
        <Options of={webhooks} />
      </Select>
    </Field>
  );
}
