import { Field, Input, Select } from '#components/ui/field.tsx';
import {
  PROVIDER_DEFINITIONS,
  PROVIDER_OPTIONS,
  type ProviderKind,
  type ProviderOptions,
} from '#lib/providers/provider-kinds.ts';

type OptionFieldsProps = {
  kind: ProviderKind;
  options: ProviderOptions;
  errorOf: (field: string) => string | null;
  onChange: (options: ProviderOptions) => void;
};

/** Fields that a provider kind needs in addition to URL and key. Renders nothing if there are none. */
export function OptionFields({ kind, options, errorOf, onChange }: OptionFieldsProps) {
  const { fields = {} } = PROVIDER_DEFINITIONS[kind];
  return PROVIDER_OPTIONS.map((name) => {
    const field = fields[name];
    if (field === undefined) return null;
    const value = options[name] ?? '';
    const change = (entered: string) => onChange({ ...options, [name]: entered });
    return (
      <Field key={name} label={field.label} help={field.help} error={errorOf(`options.${name}`)}>
        {field.choices === undefined ? (
          <Input value={value} onChange={(event) => change(event.target.value)} />
        ) : (
          <Select value={value} onChange={(event) => change(event.target.value)}>
            <option value="">default</option>
            {Object.entries(field.choices).map(([choice, label]) => (
              <option key={choice} value={choice}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    );
  });
}
