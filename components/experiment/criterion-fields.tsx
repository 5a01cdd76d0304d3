'use client';

import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { errorAt as errorIn } from '#components/ui/form-errors.tsx';
import { criterionDefinition, EVALUATOR_KINDS, isJudgedByModel, waitsForPerson } from '#lib/core/criterion.ts';
import type { Problem } from '#lib/core/problem.ts';
import { CriterionConfig } from './criterion-config.tsx';
import { type CriterionDraft, fromCriterionDraft } from './criterion-draft.ts';

import { PromptWarning } from './prompt-warning.tsx';
import type { TrySample } from './read-sample.ts';
import { TryCriterion } from './try-criterion.tsx';

type CriterionFieldsProps = {
  criterion: CriterionDraft;
  number: number;
  /** What the criterion is judged by beside itself: the models and prompts of the form. */
  judging: Record<string, unknown>;
  webhooks: readonly string[];
  isPythonOn: boolean;
  sample: TrySample;
  onSample: (sample: TrySample) => void;
  errorAt: (field: string) => string | null;
  onChange: (changes: Partial<CriterionDraft>) => void;
  onRemove: () => void;
};

/** One criterion: what every kind has, what its kind has, and a place to try it. */
export function CriterionFields(props: CriterionFieldsProps) {
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
        <Field label="Name" error={errorAt('name')} path={`${path}.name`}>
          <Input value={criterion.name} onChange={(event) => change({ name: event.target.value })} />
        </Field>
        <Field label="Scored by" error={errorAt('evaluator')} path={`${path}.evaluator`}>
          <Select
            value={criterion.evaluator}
            onChange={(event) => change({ evaluator: evaluatorOf(event.target.value) ?? criterion.evaluator })}
          >
            {EVALUATOR_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {criterionDefinition(kind).label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Weight" help="0 to 100" error={errorAt('weight')} path={`${path}.weight`}>
          <Input
            numeric
            className="w-full"
            value={criterion.weight}
            onChange={(event) => change({ weight: event.target.value })}
          />
        </Field>
        <Field
          label="Threshold"
          help="0 to 1. Leave empty for none."
          error={errorAt('threshold')}
          path={`${path}.threshold`}
        >
          <Input
            numeric
            className="w-full"
            value={criterion.threshold}
            onChange={(event) => change({ threshold: event.target.value })}
          />
        </Field>
        <Button
          variant="ghost"
          size="smallIcon"
          className="mt-5.75 max-narrow:col-start-3 max-narrow:row-start-1"
          aria-label={`Remove ${called}`}
          onClick={onRemove}
        >
          <X className="size-3.25" aria-hidden />
        </Button>
      </div>
      <Field label="Description" error={errorAt('description')} path={`${path}.description`}>
        <Input value={criterion.description} onChange={(event) => change({ description: event.target.value })} />
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
