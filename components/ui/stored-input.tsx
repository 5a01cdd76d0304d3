import type { ComponentProps, ReactNode } from 'react';
import { Field, Input } from './field.tsx';
import type { StoredField } from './use-stored-field.ts';

type StoredInputProps = ComponentProps<typeof Input> & {
  label: string;
  help?: ReactNode;
  error: string | null;
  path?: string;
  field: StoredField<string>;
};

/** Text field for a stored value. */
export function StoredInput({ label, help, error, path, field, ...input }: StoredInputProps) {
  return (
    <Field label={label} help={help} error={error} path={path}>
      <Input {...input} value={field.value} onValue={(value) => field.setValue(value)} />
    </Field>
  );
}
