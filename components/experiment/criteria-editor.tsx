'use client';

import { Plus, X } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { EVALUATOR_KINDS } from '#lib/reflection/criterion.ts';
import { CriterionConfig } from './criterion-config.tsx';
import { type CriterionDraft, newCriterion } from './criterion-draft.ts';
import { EVALUATOR_WORDS } from './evaluator-words.ts';

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
            onChange={(event) => onChange({ evaluator: evaluatorOf(event.target.value) ?? criterion.evaluator })}
          >
            {EVALUATOR_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {EVALUATOR_WORDS[kind]}
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
      <CriterionConfig criterion={criterion} errorAt={errorAt} onChange={onChange} />
    </fieldset>
  );
}

function evaluatorOf(value: string): CriterionDraft['evaluator'] | undefined {
  return EVALUATOR_KINDS.find((kind) => kind === value);
}
