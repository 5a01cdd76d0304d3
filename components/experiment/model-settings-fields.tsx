'use client';

import { useErrorAt } from '#components/ui/form-errors.tsx';
import { type ModelSettingsRole, REASONING_EFFORTS, type ReasoningEffort } from '#lib/core/model-settings.ts';
import { type FormRole, rolesOf } from './form-roles.ts';
import { isEmptyModelSettings } from './form-settings.ts';
import { LongTextField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';

/** Model settings of each role except the temperature. Collapsed, because most experiments do not set them. */
export function ModelSettingsFields() {
  const { settings } = useSettingsForm();
  const errorAt = useErrorAt();
  const roles = rolesOf(settings);
  const isOpen = ({ role }: FormRole) =>
    !isEmptyModelSettings(settings.modelSettings[role]) ||
    FIELDS.some((field) => errorAt(`modelSettings.${role}.${field}`));
  return (
    <details open={roles.some(isOpen)}>
      <summary className="cursor-pointer text-ink-2 text-sm">Model settings of each role</summary>
      <div className="mt-2 flex flex-col gap-2">
        {roles.map((role) => (
          <details key={role.role} open={isOpen(role)} className="border-line border-l pl-3">
            <summary className="cursor-pointer text-sm first-letter:uppercase">{role.label}</summary>
            <RoleFields {...role} />
          </details>
        ))}
      </div>
    </details>
  );
}

const FIELDS = ['maxOutputTokens', 'topP', 'seed', 'stopSequences', 'reasoningEffort', 'providerOptions', 'headers'];
const EFFORTS: readonly (ReasoningEffort | '')[] = ['', ...REASONING_EFFORTS];

function RoleFields({ role, label }: FormRole) {
  const inherits = role === 'revise' || role === 'worker';
  const empty = inherits ? 'Empty: as for drafts.' : 'Empty: not sent.';
  const path = <Field extends string>(field: Field) =>
    `modelSettings.${role}.${field}` as `modelSettings.${ModelSettingsRole}.${Field}`;
  return (
    <fieldset className="mt-2 grid grid-cols-1 narrow:grid-cols-2 gap-4" aria-label={`Model settings of ${label}`}>
      {role === 'revise' ? null : (
        <NumberField
          path={path('maxOutputTokens')}
          label="Max output tokens"
          help={`Limit of a response, including reasoning. ${empty}`}
        />
      )}
      <SelectField
        path={path('reasoningEffort')}
        label="Reasoning effort"
        help="How much a reasoning model thinks before it answers."
        options={EFFORTS}
        labelOf={(effort) => (effort === '' ? (inherits ? 'as for drafts' : 'provider default') : effort)}
      />
      <NumberField
        path={path('topP')}
        label="Top P"
        help={`Nucleus sampling, 0 to 1. Set this or a temperature, not both. ${empty}`}
      />
      <NumberField path={path('seed')} label="Seed" help={`Each repetition of a case adds 1. ${empty}`} />
      <LongTextField
        path={path('stopSequences')}
        label="Stop sequences"
        help={`Texts that end a response, one per line. Use \\n for a line break. ${empty}`}
        rows={2}
        className="font-mono text-code"
      />
      <LongTextField
        path={path('headers')}
        label="Extra headers"
        help="One per line, such as X-Team: research. For secrets, add headers to the provider."
        rows={2}
        className="font-mono text-code"
      />
      <div className="narrow:col-span-2">
        <LongTextField
          path={path('providerOptions')}
          label="Provider options"
          help={'A JSON object that is passed to the provider, such as {"parallelToolCalls": false}.'}
          rows={3}
          className="font-mono text-code"
          spellCheck={false}
        />
      </div>
    </fieldset>
  );
}
