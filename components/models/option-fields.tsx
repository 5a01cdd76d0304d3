import { Field, Input, Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import {
  PROVIDER_DEFINITIONS,
  PROVIDER_OPTIONS,
  type ProviderKind,
  type ProviderOption,
  type ProviderOptions,
} from '#lib/providers/provider-kinds.ts';

type OptionFieldsProps = {
  kind: ProviderKind;
  options: ProviderOptions;
  errorOf: (option: ProviderOption) => string | null;
  onChange: (option: ProviderOption, value: string) => void;
};

/** Fields that a provider kind needs in addition to URL and key. Renders nothing if there are none. */
export function OptionFields({ kind, options, errorOf, onChange }: OptionFieldsProps) {
  const { fields = {} } = PROVIDER_DEFINITIONS[kind];
  return PROVIDER_OPTIONS.map((name) => {
    const field = fields[name];
    if (field === undefined) return null;
    const value = options[name] ?? '';
    return (
      <Field key={name} label={field.label} help={field.help} error={errorOf(name)}>
        {field.choices === undefined ? (
          <Input value={value} onValue={(value) => onChange(name, value)} />
        ) : (
          <Select value={value} onValue={(value) => onChange(name, value)}>
            <option value="">default</option>
            <Options of={Object.entries(field.choices)} />
          </Select>
        )}
      </Field>
    );
  });
}
