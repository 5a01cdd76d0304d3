'use client';

import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { PAUSE_RULES, TIMEOUT_RULES } from '#lib/core/settings.ts';
import { DecidingWebhook } from './deciding-webhook.tsx';
import type { FormPartProps } from './form-part-props.ts';
import { pauseLabel, TIMEOUT_LABELS } from './form-summary.ts';

/** When a person or a webhook is asked, and what a run may use up. */
export function PeopleFields({ draft, change, errorAt, webhooks }: FormPartProps & { webhooks: readonly string[] }) {
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field label="A person is asked" error={errorAt('callbacks.pause')}>
          <Select
            value={draft.pause}
            onChange={(event) => change({ pause: PAUSE_RULES.find((rule) => rule === event.target.value) ?? 'never' })}
          >
            {PAUSE_RULES.map((rule) => (
              <option key={rule} value={rule}>
                {pauseLabel(rule, draft.mode)}
              </option>
            ))}
          </Select>
        </Field>
        <DecidingWebhook draft={draft} change={change} errorAt={errorAt} webhooks={webhooks} />
      </div>
      {draft.mode === 'tune' ? null : (
        <CheckboxField
          label={
            draft.mode === 'retry'
              ? 'Look at each attempt before it is judged'
              : 'Look at the first draft before it is judged'
          }
          help="The run waits before the judgement is paid for."
          checked={draft.reviewDrafts}
          onChange={(event) => change({ reviewDrafts: event.target.checked })}
        />
      )}
      {draft.mode === 'retry' ? null : (
        <CheckboxField
          label={
            draft.mode === 'tune'
              ? 'Look at each proposal before it is tried'
              : 'Look at each revision before it is judged'
          }
          help={
            draft.mode === 'tune'
              ? 'Beside the prompt it was made from: to be tried as it is, or only some of its changes.'
              : 'Beside what it was made of: to be judged as it is, or only some of its changes.'
          }
          checked={draft.reviewRevisions}
          onChange={(event) => change({ reviewRevisions: event.target.checked })}
        />
      )}
      {draft.mode === 'retry' ? (
        <CheckboxField
          label="Bring an unsolved run to a person"
          help="Where the last attempt fails too, the run waits instead of ending."
          checked={draft.escalate}
          onChange={(event) => change({ escalate: event.target.checked })}
        />
      ) : null}
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field
          label="Timeout (seconds)"
          help="Empty: waits until somebody answers"
          error={errorAt('callbacks.timeoutSeconds')}
        >
          <Input
            numeric
            value={draft.timeoutSeconds}
            onChange={(event) => change({ timeoutSeconds: event.target.value })}
          />
        </Field>
        {draft.timeoutSeconds.trim() === '' ? null : (
          <Field label="Without an answer by then" error={errorAt('callbacks.onTimeout')}>
            <Select
              value={draft.onTimeout}
              onChange={(event) =>
                change({ onTimeout: TIMEOUT_RULES.find((rule) => rule === event.target.value) ?? 'auto' })
              }
            >
              {TIMEOUT_RULES.map((rule) => (
                <option key={rule} value={rule}>
                  {TIMEOUT_LABELS[rule]}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field
          label="Budget, calls a run"
          help="Empty for none; calls that failed count too"
          error={errorAt('budget.maxCalls')}
        >
          <Input numeric value={draft.maxCalls} onChange={(event) => change({ maxCalls: event.target.value })} />
        </Field>
        <Field label="Budget, $ a run" help="Empty for none" error={errorAt('budget.maxCostUsd')}>
          <Input numeric value={draft.maxCostUsd} onChange={(event) => change({ maxCostUsd: event.target.value })} />
        </Field>
        <Field label="Budget, tokens a run" help="Empty for none" error={errorAt('budget.maxTokens')}>
          <Input numeric value={draft.maxTokens} onChange={(event) => change({ maxTokens: event.target.value })} />
        </Field>
        <Field
          label="Budget, seconds a run"
          help="Empty for none; waiting for people does not count"
          error={errorAt('budget.maxSeconds')}
        >
          <Input numeric value={draft.maxSeconds} onChange={(event) => change({ maxSeconds: event.target.value })} />
        </Field>
        <Field
          label="Budget, $ of all runs"
          help="Empty for none; over all runs of the experiment, failed ones too. Looked up before each call"
          error={errorAt('budget.maxExperimentCostUsd')}
        >
          <Input
            numeric
            value={draft.maxExperimentCostUsd}
            onChange={(event) => change({ maxExperimentCostUsd: event.target.value })}
          />
        </Field>
        <Field label="Budget, tokens of all runs" help="Empty for none" error={errorAt('budget.maxExperimentTokens')}>
          <Input
            numeric
            value={draft.maxExperimentTokens}
            onChange={(event) => change({ maxExperimentTokens: event.target.value })}
          />
        </Field>
      </div>
    </>
  );
}
