'use client';

import {
  type FormModelSettings,
  fromFormModelSettings,
  type NumberEntry,
  toFormRoleSettings,
} from '#components/experiment/form-settings.ts';
import { RolesFields } from '#components/experiment/model-settings-fields.tsx';
import { NumberInput } from '#components/experiment/setting-fields.tsx';
import { Field } from '#components/ui/field.tsx';
import type { PromptSetup } from '#lib/prompts/schema.ts';

/** Model settings of outputs and judges in the form. */
export type SamplingDraft = {
  temperature: NumberEntry;
  evaluatorTemperature: NumberEntry;
  modelSettings: Record<'generate' | 'evaluate', FormModelSettings>;
};

type Sampling = Pick<PromptSetup, keyof SamplingDraft>;

export function toSamplingDraft({ temperature, evaluatorTemperature, modelSettings }: Sampling): SamplingDraft {
  return {
    temperature,
    evaluatorTemperature,
    modelSettings: {
      generate: toFormRoleSettings(modelSettings.generate),
      evaluate: toFormRoleSettings(modelSettings.evaluate),
    },
  };
}

/** Returns the values to send. Invalid numbers are sent as typed, so that the server reports them. */
export function fromSamplingDraft({ modelSettings, ...temperatures }: SamplingDraft) {
  return { ...temperatures, modelSettings: fromFormModelSettings(modelSettings) };
}

type SamplingFieldsProps = {
  draft: SamplingDraft;
  onChange: (draft: SamplingDraft) => void;
  /** Prefix of the paths in the request. */
  prefix: 'setup.' | '';
};

const ROLES = [
  { role: 'generate', label: 'answers' },
  { role: 'evaluate', label: 'judges' },
] as const;

/** Edits the temperature and other model settings of outputs and judges. */
export function SamplingFields({ draft, onChange, prefix }: SamplingFieldsProps) {
  return (
    <RolesFields
      title="Model settings"
      roles={ROLES}
      isSet={(role) => draft[TEMPERATURES[role].field] !== null}
      settings={draft.modelSettings}
      path={`${prefix}modelSettings`}
      onChange={(role, changed) => onChange({ ...draft, modelSettings: { ...draft.modelSettings, [role]: changed } })}
      before={(role) => {
        const { field, label, help } = TEMPERATURES[role];
        return (
          <Field label={label} help={help} path={`${prefix}${field}`} className="narrow:col-span-2">
            <NumberInput value={draft[field]} onChange={(value) => onChange({ ...draft, [field]: value })} />
          </Field>
        );
      }}
    />
  );
}

const TEMPERATURES = {
  generate: {
    field: 'temperature',
    label: 'Temperature',
    help: 'For answers, 0 to 2. Leave empty for the provider default.',
  },
  evaluate: {
    field: 'evaluatorTemperature',
    label: 'Judge temperature',
    help: 'Leave empty for 0 if answers have a temperature, otherwise the provider default.',
  },
} as const;
