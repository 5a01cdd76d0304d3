'use client';

import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { errorAt as errorIn } from '#components/ui/form-errors.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Options } from '#components/ui/options.tsx';
import { nextKey } from '#components/ui/parse-entries.ts';
import { criterionDefinition, EVALUATOR_KINDS, isJudgedByModel, waitsForPerson } from '#lib/core/criterion.ts';
import type { Problem } from '#lib/core/problem.ts';
import { CriterionConfig } from './criterion-config.tsx';
import {
  addCriteriaSet,
  CRITERIA_SETS,
  type CriterionDraft,
  fromCriterionDraft,
  newCriterion,
  SET_NAMES,
} from './criterion-draft.ts';
import { PromptWarning } from './prompt-warning.tsx';
import { NO_SAMPLE, TryCriterion, type TrySample } from './try-criterion.tsx';

type CriteriaEditorProps = {
  criteria: CriterionDraft[];
  /** Models and prompts of the form that affect judging. */
  judging: Record<string, unknown>;
  /** Names of the installation's webhooks. */
  webhooks: readonly string[];
  isPythonOn: boolean;
  /** Returns the error of a field, by its path in the request: `criteria.0.weight`. */
  errorAt: (path: string) => string | null;
  onChange: (criteria: CriterionDraft[]) => void;
};

/** Edits the criteria of an experiment and their evaluators. At least one is required. */
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
      {errorAt('criteria') ? <InlineError className="mt-2">{errorAt('criteria')}</InlineError> : null}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => onChange([...criteria, newCriterion(nextKey(criteria))])}>
          <Plus />
          Add a criterion
        </Button>
        <Select className="min-h-6 w-44 py-0.5" aria-label="Add a set of criteria" value="" onValue={add}>
          <option value="">Add a set</option>
          <Options
            of={SET_NAMES.map((name) => [
              name,
              `${CRITERIA_SETS[name].label}: ${CRITERIA_SETS[name].criteria.map((one) => one.name).join(', ')}`,
            ])}
          />
        </Select>
        <span className="text-ink-3 text-sm" role="status">
          {added}
        </span>
      </div>
    </div>
  );
}

type CriterionFieldsProps = Pick<CriteriaEditorProps, 'judging' | 'webhooks' | 'isPythonOn'> & {
  criterion: CriterionDraft;
  number: number;
  sample: TrySample;
  onSample: (sample: TrySample) => void;
  errorAt: (field: string) => string | null;
  onChange: (changes: Partial<CriterionDraft>) => void;
  onRemove: () => void;
};

/** Edits one criterion: the common fields, the fields of its evaluator, and a test area. */
function CriterionFields(props: CriterionFieldsProps) {
  const { criterion, number, judging, webhooks, isPythonOn, sample, onSample, onChange, onRemove } = props;
  const [problem, setProblem] = useState<Problem | null>(null);
  const fields = useRef<HTMLFieldSetElement>(null);
  const sent = fromCriterionDraft(criterion);
  const definition = criterionDefinition(criterion.evaluator);
  const comparesVersions = definition.comparesWith?.(sent.config) != null;
  const callsModels = definition.judge !== undefined || definition.embeds?.(sent.config) === true;
  const called = criterion.name || `criterion ${number}`;
  const errorAt = (field: string) =>
    props.errorAt(field) ?? (problem === null ? null : errorIn([problem], `criterion.${field}`));
  const path = `criteria.${number - 1}`;
  const at = (field: string) => ({ error: errorAt(field), path: `${path}.${field}` });
  const change = (changes: Partial<CriterionDraft>) => {
    setProblem(null);
    onChange(changes);
  };

  useEffect(() => {
    if (problem !== null) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);

  return (
    <fieldset ref={fields} className="flex flex-col gap-3 border-line border-b pt-3 pb-4" aria-label={called}>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_1.5rem] narrow:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_5.5rem_5.5rem_1.5rem] items-start gap-3">
        <Field label="Name" {...at('name')}>
          <Input value={criterion.name} onValue={(value) => change({ name: value })} />
        </Field>
        <Field label="Scored by" {...at('evaluator')}>
          <Select
            value={criterion.evaluator}
            onValue={(value) => change({ evaluator: evaluatorOf(value) ?? criterion.evaluator })}
          >
            <Options of={EVALUATOR_KINDS.map((kind) => [kind, criterionDefinition(kind).label])} />
          </Select>
        </Field>
        <Field label="Weight" help="0 to 100" {...at('weight')}>
          <Input numeric className="w-full" value={criterion.weight} onValue={(value) => change({ weight: value })} />
        </Field>
        <Field label="Threshold" help="0 to 1. Leave empty for none." {...at('threshold')}>
          <Input
            numeric
            className="w-full"
            value={criterion.threshold}
            onValue={(value) => change({ threshold: value })}
          />
        </Field>
        <IconButton
          icon={X}
          label={`Remove ${called}`}
          className="mt-5.75 max-narrow:col-start-3 max-narrow:row-start-1"
          onClick={onRemove}
        />
      </div>
      <Field label="Description" {...at('description')}>
        <Input value={criterion.description} onValue={(value) => change({ description: value })} />
      </Field>
      {isJudgedByModel(criterion) ? <PromptWarning text={criterion.description} reader="judge" /> : null}
      <CriterionConfig
        criterion={criterion}
        path={path}
        webhooks={webhooks}
        isPythonOn={isPythonOn}
        errorAt={errorAt}
        onChange={change}
      />
      {waitsForPerson(criterion) ? null : (
        <TryCriterion
          request={{ ...judging, criterion: sent }}
          comparesVersions={comparesVersions}
          callsModels={callsModels}
          threshold={criterion.threshold.trim() || String(judging.qualityThreshold ?? '')}
          sample={sample}
          onSample={onSample}
          onProblem={setProblem}
        />
      )}
    </fieldset>
  );
}

function evaluatorOf(value: string): CriterionDraft['evaluator'] | undefined {
  return EVALUATOR_KINDS.find((kind) => kind === value);
}
