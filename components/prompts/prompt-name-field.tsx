import { Field, Input } from '#components/ui/field.tsx';

/** The name of a new prompt. Spaces become hyphens as they are typed. */
export function PromptNameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <Field
      label="Name"
      help="Programs request the prompt by this name. Letters, digits and - _ . / only, such as support/triage."
      path="name"
    >
      <Input value={value} maxLength={100} onValue={(value) => onChange(value.replaceAll(/\s/g, '-'))} />
    </Field>
  );
}
