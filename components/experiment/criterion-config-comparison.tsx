'use client';

import { Field, Select } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';
import type { CriterionDraft } from './criterion-draft.ts';

/** What the output is laid beside. */
export function CriterionConfigComparison({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <>
      <Field label="Compared with" error={errorAt('config.against')}>
        <Select value={criterion.against} onChange={(event) => onChange({ against: againstOf(event.target.value) })}>
          {AGAINST.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <p className="text-ink-2 text-sm">
        A judge sees both, in both orders, and is not told which is which: better both times is 1, worse both times 0,
        all else a tie, 0.5.{' '}
        {criterion.against === 'reference' ? '' : 'The first version has nothing beside it: a tie. '}
        With a threshold of 0.5 or less a tie is good enough.
      </p>
    </>
  );
}

const AGAINST = [
  { value: 'previous', label: 'the version before' },
  { value: 'best', label: 'the best version so far' },
  { value: 'reference', label: 'the reference answer' },
] as const;

function againstOf(value: string): CriterionDraft['against'] {
  return AGAINST.find((one) => one.value === value)?.value ?? 'previous';
}
