'use client';

import { Plus, X } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { type CriterionDraft, newCriterion } from './experiment-draft.ts';

type CriteriaEditorProps = {
  criteria: CriterionDraft[];
  /** What is wrong with a field, by its path in the request: `criteria.0.weight`. */
  errorAt: (path: string) => string | null;
  onChange: (criteria: CriterionDraft[]) => void;
};

/** The criteria of an experiment, each with how it is scored; at least one is needed. */
export function CriteriaEditor({ criteria, errorAt, onChange }: CriteriaEditorProps) {
  const nextKey = Math.max(-1, ...criteria.map(({ key }) => key)) + 1;
  return (
    <div className="stack gap-0">
      {criteria.map((criterion, index) => (
        <CriterionFields
          key={criterion.key}
          criterion={criterion}
          number={index + 1}
          errorAt={(field) => errorAt(`criteria.${index}.${field}`)}
          onChange={(changes) =>
            onChange(criteria.map((one) => (one.key === criterion.key ? { ...one, ...changes } : one)))
          }
          onRemove={() => onChange(criteria.filter((one) => one.key !== criterion.key))}
        />
      ))}
      {errorAt('criteria') ? (
        <p className="sm worse mt-2" role="alert">
          ✕ {errorAt('criteria')}
        </p>
      ) : null}
      <div className="mt-3">
        <Button size="small" onClick={() => onChange([...criteria, newCriterion(nextKey)])}>
          <Plus className="i s" aria-hidden />
          Add a criterion
        </Button>
      </div>
    </div>
  );
}

type CriterionFieldsProps = {
  criterion: CriterionDraft;
  number: number;
  errorAt: (field: string) => string | null;
  onChange: (changes: Partial<CriterionDraft>) => void;
  onRemove: () => void;
};

function CriterionFields({ criterion, number, errorAt, onChange, onRemove }: CriterionFieldsProps) {
  const called = criterion.name || `criterion ${number}`;
  return (
    <fieldset className="criterion" aria-label={called}>
      <div className="criterion-head">
        <Field label="Name" error={errorAt('name')}>
          <Input value={criterion.name} onChange={(event) => onChange({ name: event.target.value })} />
        </Field>
        <Field label="Scored by" error={errorAt('evaluator')}>
          <Select
            value={criterion.evaluator}
            onChange={(event) => onChange({ evaluator: evaluatorOf(event.target.value) })}
          >
            {EVALUATORS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Weight" help="0 to 100" error={errorAt('weight')}>
          <Input numeric value={criterion.weight} onChange={(event) => onChange({ weight: event.target.value })} />
        </Field>
        <Field label="Threshold" help="0 to 1" error={errorAt('threshold')}>
          <Input
            numeric
            value={criterion.threshold}
            onChange={(event) => onChange({ threshold: event.target.value })}
          />
        </Field>
        <Button
          variant="ghost"
          size="smallIcon"
          className="criterion-remove"
          aria-label={`Remove ${called}`}
          onClick={onRemove}
        >
          <X className="i s" aria-hidden />
        </Button>
      </div>
      <Field label="What it asks for" error={errorAt('description')}>
        <Input value={criterion.description} onChange={(event) => onChange({ description: event.target.value })} />
      </Field>
      {criterion.evaluator === 'llm' ? (
        <details open={criterion.rubric !== '' || errorAt('config.rubric') !== null}>
          <summary className="sm muted cursor-pointer">Rubric of its own</summary>
          <Field
            label="Rubric"
            hideLabel
            className="mt-2"
            help="What earns which score, told to the judge"
            error={errorAt('config.rubric')}
          >
            <Textarea
              rows={3}
              value={criterion.rubric}
              onChange={(event) => onChange({ rubric: event.target.value })}
            />
          </Field>
        </details>
      ) : null}
      {criterion.evaluator === 'regex' ? (
        <PatternFields criterion={criterion} errorAt={errorAt} onChange={onChange} />
      ) : null}
      {criterion.evaluator === 'reference' ? (
        <ReferenceFields criterion={criterion} errorAt={errorAt} onChange={onChange} />
      ) : null}
    </fieldset>
  );
}

type KindFieldsProps = Pick<CriterionFieldsProps, 'criterion' | 'errorAt' | 'onChange'>;

function PatternFields({ criterion, errorAt, onChange }: KindFieldsProps) {
  return (
    <>
      <div className="grid2">
        <Field label="Pattern" help="Looked for in the output" error={errorAt('config.pattern')}>
          <Input
            className="mono"
            spellCheck={false}
            value={criterion.pattern}
            onChange={(event) => onChange({ pattern: event.target.value })}
          />
        </Field>
        <Field label="Flags" help="i any case, m by line, s dot matches line ends" error={errorAt('config.flags')}>
          <Input
            className="mono"
            spellCheck={false}
            value={criterion.flags}
            onChange={(event) => onChange({ flags: event.target.value })}
          />
        </Field>
      </div>
      <div className="grid3">
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

function ReferenceFields({ criterion, errorAt, onChange }: KindFieldsProps) {
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

const EVALUATORS = [
  { value: 'llm', label: 'a model, by rubric' },
  { value: 'regex', label: 'a pattern' },
  { value: 'reference', label: 'the reference answer' },
] as const;
const MATCHES = [
  { value: 'exact', label: 'the same as the reference' },
  { value: 'contains', label: 'it contains the reference' },
  { value: 'numeric', label: 'the same number' },
] as const;
const NORMALIZATIONS = [
  { value: '', label: 'the usual clean-up of the kind' },
  { value: 'none', label: 'nothing' },
  { value: 'trim', label: 'trimming' },
  { value: 'lower', label: 'lower case' },
  { value: 'squad', label: 'lower case, no articles or punctuation (SQuAD)' },
] as const;

function evaluatorOf(value: string): CriterionDraft['evaluator'] {
  return EVALUATORS.find((kind) => kind.value === value)?.value ?? 'llm';
}
function matchOf(value: string): CriterionDraft['match'] {
  return MATCHES.find((kind) => kind.value === value)?.value ?? 'exact';
}
function normalizeOf(value: string): CriterionDraft['normalize'] {
  return NORMALIZATIONS.find((kind) => kind.value === value)?.value ?? '';
}
