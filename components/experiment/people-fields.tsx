'use client';

import { MayTextLink } from '#components/access/may-link.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { PAUSE_RULES, TIMEOUT_RULES } from '#lib/core/settings.ts';
import { pauseLabel, TIMEOUT_LABELS } from './form-summary.ts';
import { CheckField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';

/** When a person or a webhook is asked, and what a run may use up. `webhooks`: names of the installation's. */
export function PeopleFields({ webhooks }: { webhooks: readonly string[] }) {
  const { mode, callbacks } = useSettingsForm().settings;
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <SelectField
          path="callbacks.pause"
          label="A person is asked"
          options={PAUSE_RULES}
          labelOf={(rule) => pauseLabel(rule, mode)}
        />
        <DecidingWebhook webhooks={webhooks} />
      </div>
      {mode === 'tune' ? null : (
        <CheckField
          path="callbacks.review.drafts"
          label={
            mode === 'retry'
              ? 'Look at each attempt before it is judged'
              : 'Look at the first draft before it is judged'
          }
          help="The run waits before the judgement is paid for."
        />
      )}
      {mode === 'retry' ? null : (
        <CheckField
          path="callbacks.review.revisions"
          label={
            mode === 'tune' ? 'Look at each proposal before it is tried' : 'Look at each revision before it is judged'
          }
          help={
            mode === 'tune'
              ? 'Beside the prompt it was made from: to be tried as it is, or only some of its changes.'
              : 'Beside what it was made of: to be judged as it is, or only some of its changes.'
          }
        />
      )}
      {mode === 'retry' ? (
        <CheckField
          path="callbacks.escalate"
          label="Bring an unsolved run to a person"
          help="Where the last attempt fails too, the run waits instead of ending."
        />
      ) : null}
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <NumberField
          path="callbacks.timeoutSeconds"
          label="Timeout (seconds)"
          help="Empty: waits until somebody answers"
        />
        {callbacks.timeoutSeconds === null ? null : (
          <SelectField
            path="callbacks.onTimeout"
            label="Without an answer by then"
            options={TIMEOUT_RULES}
            labelOf={(rule) => TIMEOUT_LABELS[rule]}
          />
        )}
      </div>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <NumberField
          path="budget.maxCalls"
          label="Budget, calls a run"
          help="Empty for none; calls that failed count too"
        />
        <NumberField path="budget.maxCostUsd" label="Budget, $ a run" help="Empty for none" />
        <NumberField path="budget.maxTokens" label="Budget, tokens a run" help="Empty for none" />
        <NumberField
          path="budget.maxSeconds"
          label="Budget, seconds a run"
          help="Empty for none; waiting for people does not count"
        />
        <NumberField
          path="budget.maxExperimentCostUsd"
          label="Budget, $ of all runs"
          help="Empty for none; over all runs of the experiment, failed ones too. Looked up before each call"
        />
        <NumberField path="budget.maxExperimentTokens" label="Budget, tokens of all runs" help="Empty for none" />
      </div>
    </>
  );
}

/** Which of the installation's webhooks is asked beside the people, if any. */
function DecidingWebhook({ webhooks }: { webhooks: readonly string[] }) {
  const { settings, set } = useSettingsForm();
  const chosen = settings.callbacks.webhook;
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
      path="callbacks.webhook"
    >
      <Select
        value={chosen ?? ''}
        onChange={({ target }) => set('callbacks.webhook', target.value === '' ? null : target.value)}
      >
        <option value="">none</option>
        {chosen === null || webhooks.includes(chosen) ? null : (
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
