'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Select } from '#components/ui/field.tsx';
import { addCriteriaSet, CRITERIA_SETS, SET_NAMES } from './criteria-sets.ts';
import { type CriterionDraft, newCriterion, nextKey } from './criterion-draft.ts';
import { CriterionFields } from './criterion-fields.tsx';
import { NO_SAMPLE } from './read-sample.ts';

type CriteriaEditorProps = {
  criteria: CriterionDraft[];
  /** What a criterion is judged by beside itself: the models and prompts of the form. */
  judging: Record<string, unknown>;
  /** Names of the installation's webhooks. */
  webhooks: readonly string[];
  isPythonOn: boolean;
  /** What is wrong with a field, by its path in the request: `criteria.0.weight`. */
  errorAt: (path: string) => string | null;
  onChange: (criteria: CriterionDraft[]) => void;
};

/** The criteria of an experiment, each with how it is scored; at least one is needed. */
export function CriteriaEditor({ criteria, judging, webhooks, isPythonOn, errorAt, onChange }: CriteriaEditorProps) {
  const [sample, setSample] = useState(NO_SAMPLE);
  const [added, setAdded] = useState('');

  function add(value: string) {
    const name = SET_NAMES.find((candidate) => candidate === value);
    if (name === undefined) return;
    const next = addCriteriaSet(criteria, name);
    onChange(next);
    const count = next.length - criteria.length;
    setAdded(
      count === 0
        ? `All criteria of ${CRITERIA_SETS[name].label} are already added.`
        : `Added ${next
            .slice(criteria.length)
            .map((one) => one.name)
            .join(', ')}.`,
    );
  }

  return (
    <div className="flex flex-col gap-0">
      {criteria.map((criterion, index) => (
        <CriterionFields
          key={criterion.key}
          criterion={criterion}
          number={index + 1}
          judging={judging}
          webhooks={webhooks}
          isPythonOn={isPythonOn}
          sample={sample}
          onSample={setSample}
          errorAt={(field) => errorAt(`criteria.${index}.${field}`)}
          onChange={(changes) =>
            onChange(criteria.map((one) => (one.key === criterion.key ? { ...one, ...changes } : one)))
          }
          onRemove={() => onChange(criteria.filter((one) => one.key !== criterion.key))}
        />
      ))}
      {errorAt('criteria') ? (
        <p className="mt-2 text-sm text-worse" role="alert">
          ✕ {errorAt('criteria')}
        </p>
      ) : null}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => onChange([...criteria, newCriterion(nextKey(criteria))])}>
          <Plus className="size-3.25" aria-hidden />
          Add a criterion
        </Button>
        <Select
          className="min-h-6 w-44 py-0.5"
          aria-label="Add a set of criteria"
          value=""
          onChange={(event) => add(event.target.value)}
        >
          <option value="">Add a set</option>
          {SET_NAMES.map((name) => (
            <option key={name} value={name}>
              {CRITERIA_SETS[name].label}: {CRITERIA_SETS[name].criteria.map((one) => one.name).join(', ')}
            </option>
          ))}
        </Select>
        <span className="text-ink-3 text-sm" role="status">
          {added}
        </span>
      </div>
    </div>
  );
}
