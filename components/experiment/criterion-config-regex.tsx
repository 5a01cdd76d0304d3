'use client';

import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';

/** The pattern that must, or must not, be found, and how often. */
export function CriterionConfigRegex({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field label="Pattern" help="Looked for in the output" error={errorAt('config.pattern')}>
          <Input
            spellCheck={false}
            value={criterion.pattern}
            onChange={(event) => onChange({ pattern: event.target.value })}
          />
        </Field>
        <Field label="Flags" help="i any case, m by line, s dot matches line ends" error={errorAt('config.flags')}>
          <Input
            spellCheck={false}
            value={criterion.flags}
            onChange={(event) => onChange({ flags: event.target.value })}
          />
        </Field>
      </div>
      <div className="grid grid-cols-1 narrow:grid-cols-3 gap-4">
        <CheckboxField
          label="Must be found"
          help="Off: it must not be"
          checked={criterion.mustMatch}
          onChange={(event) => onChange({ mustMatch: event.target.checked })}
        />
        <Field label="At least" help="times; empty for any" error={errorAt('config.min')}>
          <Input numeric value={criterion.min} onChange={(event) => onChange({ min: event.target.value })} />
        </Field>
        <Field label="At most" help="times; empty for any" error={errorAt('config.max')}>
          <Input numeric value={criterion.max} onChange={(event) => onChange({ max: event.target.value })} />
        </Field>
      </div>
    </>
  );
}
