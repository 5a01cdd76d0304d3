'use client';

import { Field, Input, Select } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';
import type { CriterionDraft } from './criterion-draft.ts';

/** How the output is compared with the case's reference; what the chosen way has no use for is left out. */
export function CriterionConfigReference({ criterion, errorAt, onChange }: CriterionConfigProps) {
  const { match } = criterion;
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field label="Right when" help={MATCHES[match].meaning} error={errorAt('config.match')}>
          <Select value={match} onChange={(event) => onChange({ match: matchOf(event.target.value) ?? match })}>
            {MATCH_NAMES.map((name) => (
              <option key={name} value={name}>
                {MATCHES[name].label}
              </option>
            ))}
          </Select>
        </Field>
        {MATCHES[match].isNormalized ? (
          <Field label="Compared after" help="Done to both sides" error={errorAt('config.normalize')}>
            <Select
              value={criterion.normalize}
              onChange={(event) => onChange({ normalize: normalizeOf(event.target.value) })}
            >
              {NORMALIZATIONS.map(({ value, label }) => (
                <option key={value} value={value}>
                  {value === '' ? `the usual for this: ${MATCHES[match].usual}` : label}
                </option>
              ))}
            </Select>
          </Field>
        ) : null}
        {match === 'numeric' ? (
          <Field
            label="Tolerance"
            help="Largest difference that still counts as equal; empty, the default: a millionth of the reference"
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
      <Field
        label="Answer is taken out by"
        help={
          <>
            A pattern: its last match, first group, such as <code>{'Answer\\[([^\\]]*)\\]'}</code>. Empty: the whole
            output. An output without a match is incorrect.
          </>
        }
        error={errorAt('config.extract')}
      >
        <Input
          spellCheck={false}
          value={criterion.extract}
          onChange={(event) => onChange({ extract: event.target.value })}
        />
      </Field>
      <p className="text-ink-2 text-sm">
        Models are told “correct”, “incorrect” or how close it is; only people see the reference. A case without one
        leaves this criterion unscored.
      </p>
    </>
  );
}

type Match = CriterionDraft['match'];

const MATCHES: Record<Match, { label: string; meaning: string; isNormalized: boolean; usual: 'SQuAD' | 'trimming' }> = {
  exact: { label: 'the same as the reference', meaning: 'Scores 1 or 0', isNormalized: true, usual: 'SQuAD' },
  contains: { label: 'it contains the reference', meaning: 'Scores 1 or 0', isNormalized: true, usual: 'SQuAD' },
  numeric: {
    label: 'the same number',
    meaning: 'Scores 1 or 0, by the last number in each',
    isNormalized: false,
    usual: 'SQuAD',
  },
  token_f1: {
    label: 'its words overlap (token F1)',
    meaning: 'Scores 0 to 1: words both have, against the words each has',
    isNormalized: true,
    usual: 'SQuAD',
  },
  edit: {
    label: 'its letters are alike (edit similarity)',
    meaning: 'Scores 0 to 1: 1 less the share of letters to change',
    isNormalized: true,
    usual: 'trimming',
  },
  embedding: {
    label: 'it means the same (embedding)',
    meaning: 'Scores 0 to 1, by the embedding model chosen under Task',
    isNormalized: true,
    usual: 'trimming',
  },
};
const MATCH_NAMES: readonly Match[] = ['exact', 'contains', 'numeric', 'token_f1', 'edit', 'embedding'];
const NORMALIZATIONS = [
  { value: '', label: 'the usual' },
  { value: 'none', label: 'nothing' },
  { value: 'trim', label: 'trimming' },
  { value: 'lower', label: 'lower case' },
  { value: 'squad', label: 'lower case, no articles or punctuation (SQuAD)' },
] as const;

function matchOf(value: string): Match | undefined {
  return MATCH_NAMES.find((name) => name === value);
}
function normalizeOf(value: string): CriterionDraft['normalize'] {
  return NORMALIZATIONS.find((kind) => kind.value === value)?.value ?? '';
}
