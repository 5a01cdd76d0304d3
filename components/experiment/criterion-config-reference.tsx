'use client';

import { Field, Input, Select } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';
import type { CriterionDraft } from './criterion-draft.ts';

/** How the output is compared with the case's reference. */
export function CriterionConfigReference({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <>
      <div className="grid2">
        <Field label="Right when" error={errorAt('config.match')}>
          <Select value={criterion.match} onChange={(event) => onChange({ match: matchOf(event.target.value) })}>
            {MATCHES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Compared after" error={errorAt('config.normalize')}>
          <Select
            value={criterion.normalize}
            onChange={(event) => onChange({ normalize: normalizeOf(event.target.value) })}
          >
            {NORMALIZATIONS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="grid2">
        <Field
          label="Answer is taken out by"
          help="A pattern: its last match, first group. Empty: the whole output"
          error={errorAt('config.extract')}
        >
          <Input
            className="mono"
            spellCheck={false}
            value={criterion.extract}
            onChange={(event) => onChange({ extract: event.target.value })}
          />
        </Field>
        {criterion.match === 'numeric' ? (
          <Field
            label="Tolerance"
            help="Largest difference that still counts as equal"
            error={errorAt('config.tolerance')}
          >
            <Input
              numeric
              value={criterion.tolerance}
              onChange={(event) => onChange({ tolerance: event.target.value })}
            />
          </Field>
        ) : null}
      </div>
    </>
  );
}

const MATCHES = [
  { value: 'exact', label: 'the same as the reference' },
  { value: 'contains', label: 'it contains the reference' },
  { value: 'numeric', label: 'the same number' },
  { value: 'token_f1', label: 'its words overlap (token F1)' },
  { value: 'edit', label: 'its letters are alike (edit similarity)' },
  { value: 'embedding', label: 'it means the same (embedding)' },
] as const;
const NORMALIZATIONS = [
  { value: '', label: 'the usual clean-up of the kind' },
  { value: 'none', label: 'nothing' },
  { value: 'trim', label: 'trimming' },
  { value: 'lower', label: 'lower case' },
  { value: 'squad', label: 'lower case, no articles or punctuation (SQuAD)' },
] as const;

function matchOf(value: string): CriterionDraft['match'] {
  return MATCHES.find((kind) => kind.value === value)?.value ?? 'exact';
}
function normalizeOf(value: string): CriterionDraft['normalize'] {
  return NORMALIZATIONS.find((kind) => kind.value === value)?.value ?? '';
}
