'use client';

import type { ReactNode } from 'react';
import { Field, Select, Textarea } from '#components/ui/field.tsx';
import { OpeningDetails } from '#components/ui/fold-section.tsx';
import { useErrorAt } from '#components/ui/form-errors.tsx';
import { Options } from '#components/ui/options.tsx';
import type { ReasoningEffort } from '#lib/core/model-settings.ts';
import { REASONING_EFFORTS } from '#lib/core/setting-choices.ts';
import { type FormModelSettings, type FormRole, isEmptyModelSettings, rolesOf } from './form-settings.ts';
import { NumberInput, useSettingsForm } from './setting-fields.tsx';

/** Model settings of each role except the temperature. Collapsed, because most experiments do not set them. */
export function ModelSettingsFields() {
  const { settings, set } = useSettingsForm();
  return (
    <RolesFields
      title="Model settings of each role"
      roles={rolesOf(settings)}
      settings={settings.modelSettings}
      path="modelSettings"
      onChange={(role, changed) => set(`modelSettings.${role}`, changed)}
    />
  );
}

type RolesFieldsProps<Role extends FormRole['role']> = {
  title: string;
  roles: readonly (FormRole & { role: Role })[];
  settings: Record<Role, FormModelSettings>;
  /** Path of the settings of all roles in the request. */
  path: string;
  onChange: (role: Role, settings: FormModelSettings) => void;
  /** Content before the settings of a role. */
  before?: (role: Role) => ReactNode;
  /** True if a field of `before` has a value. */
  isSet?: (role: Role) => boolean;
};

/** Edits the model settings of several roles. Each is collapsed while it has none. */
export function RolesFields<Role extends FormRole['role']>(props: RolesFieldsProps<Role>) {
  const { title, roles, settings, path, onChange, before, isSet } = props;
  const errorAt = useErrorAt();
  const isOpen = (role: Role) =>
    (isSet?.(role) ?? false) ||
    !isEmptyModelSettings(settings[role]) ||
    FIELDS.some((field) => errorAt(`${path}.${role}.${field}`));
  return (
    <OpeningDetails isOpen={roles.some(({ role }) => isOpen(role))} title={title}>
      <div className="mt-2 flex flex-col gap-2">
        {roles.map(({ role, label }) => (
          <OpeningDetails
            key={role}
            isOpen={isOpen(role)}
            className="border-line border-l pl-3"
            title={<span className="inline-block text-ink first-letter:uppercase">{label}</span>}
          >
            <fieldset
              className="mt-2 grid grid-cols-1 narrow:grid-cols-2 gap-4"
              aria-label={`Model settings of ${label}`}
            >
              {before?.(role)}
              <RoleFields
                role={role}
                settings={settings[role]}
                path={`${path}.${role}`}
                onChange={(changes) => onChange(role, { ...settings[role], ...changes })}
              />
            </fieldset>
          </OpeningDetails>
        ))}
      </div>
    </OpeningDetails>
  );
}

const FIELDS = ['maxOutputTokens', 'topP', 'seed', 'stopSequences', 'reasoningEffort', 'providerOptions', 'headers'];
const EFFORTS: readonly (ReasoningEffort | '')[] = ['', ...REASONING_EFFORTS];

type RoleFieldsProps = {
  role: FormRole['role'];
  settings: FormModelSettings;
  path: string;
  onChange: (changes: Partial<FormModelSettings>) => void;
};

function RoleFields({ role, settings, path, onChange }: RoleFieldsProps) {
  const inherits = role === 'revise' || role === 'worker';
  const empty = inherits ? 'Empty: as for drafts.' : 'Empty: not sent.';
  const text = (field: 'stopSequences' | 'headers' | 'providerOptions') => ({
    className: 'font-mono text-code',
    value: settings[field],
    onChange: ({ target }: { target: { value: string } }) => onChange({ [field]: target.value }),
  });
  return (
    <>
      {role === 'revise' ? null : (
        <Field
          label="Max output tokens"
          help={`Limit of a response, including reasoning. ${empty}`}
          path={`${path}.maxOutputTokens`}
        >
          <NumberInput value={settings.maxOutputTokens} onChange={(maxOutputTokens) => onChange({ maxOutputTokens })} />
        </Field>
      )}
      <Field
        label="Reasoning effort"
        help="How much a reasoning model thinks before it answers."
        path={`${path}.reasoningEffort`}
      >
        <Select
          value={settings.reasoningEffort}
          onValue={(value) => {
            const chosen = EFFORTS.find((effort) => effort === value);
            if (chosen !== undefined) onChange({ reasoningEffort: chosen });
          }}
        >
          <Options
            of={EFFORTS.map((effort) => [
              effort,
              effort === '' ? (inherits ? 'as for drafts' : 'provider default') : effort,
            ])}
          />
        </Select>
      </Field>
      <Field
        label="Top P"
        help={`Nucleus sampling, 0 to 1. Set this or a temperature, not both. ${empty}`}
        path={`${path}.topP`}
      >
        <NumberInput value={settings.topP} onChange={(topP) => onChange({ topP })} />
      </Field>
      <Field label="Seed" help={`Each repetition of a case adds 1. ${empty}`} path={`${path}.seed`}>
        <NumberInput value={settings.seed} onChange={(seed) => onChange({ seed })} />
      </Field>
      <Field
        label="Stop sequences"
        help={`Texts that end a response, one per line. Use \\n for a line break. ${empty}`}
        path={`${path}.stopSequences`}
      >
        <Textarea rows={2} {...text('stopSequences')} />
      </Field>
      <Field
        label="Extra headers"
        help="One per line, such as X-Team: research. For secrets, add headers to the provider."
        path={`${path}.headers`}
      >
        <Textarea rows={2} {...text('headers')} />
      </Field>
      <Field
        className="narrow:col-span-2"
        label="Provider options"
        help={'A JSON object that is passed to the provider, such as {"parallelToolCalls": false}.'}
        path={`${path}.providerOptions`}
      >
        <Textarea rows={3} spellCheck={false} {...text('providerOptions')} />
      </Field>
    </>
  );
}
