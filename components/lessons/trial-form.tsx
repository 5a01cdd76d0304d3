'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiAnswer, callApi } from '#components/api/call-api.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { useDatasetChoices, useExperimentChoices } from './use-choices.ts';

type TrialEstimate = ApiAnswer<'POST /api/v1/lessons/{id}/trials/estimate'>;

type TrialFormProps = {
  lessonId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onStarted: () => void;
};

/** Asks under whose settings, on which cases and how often a lesson is tried, and says beforehand what that takes. */
export function TrialForm({ lessonId, open, onOpenChange, onStarted }: TrialFormProps) {
  const toast = useToast();
  const experiments = useExperimentChoices(open).filter(({ name }) => !name.startsWith('Trial of a lesson:'));
  const datasets = useDatasetChoices(open);
  const [experimentId, setExperiment] = useState('');
  const [datasetId, setDataset] = useState('');
  const [repetitions, setRepetitions] = useState('1');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const input = { experimentId, datasetId: datasetId === '' ? null : datasetId, repetitions: Number(repetitions) };
  const { data: estimate } = useQuery({
    queryKey: ['trial-estimate', lessonId, input],
    enabled: open && experimentId !== '',
    queryFn: ({ signal }) =>
      callApi('POST /api/v1/lessons/{id}/trials/estimate', { params: { id: lessonId }, body: input, signal }),
  });

  async function start() {
    setBusy(true);
    const result = await callApi('POST /api/v1/lessons/{id}/trials', { params: { id: lessonId }, body: input });
    setBusy(false);
    setProblem(result.ok ? null : result.problem.message);
    if (!result.ok) return;
    toast(`The trial has begun: ${formatNumberOf(result.value.runs, 'run')}`);
    onOpenChange(false);
    onStarted();
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Try it on other cases"
      description="Two batches of runs over the same cases: one without any lesson, one with this one alone. Cases it was learned from are left out. Nobody is asked but before tools that want it, and nothing new is learned."
    >
      <div className="flex flex-col gap-3">
        <Field label="With the settings of">
          <Select value={experimentId} onChange={(event) => setExperiment(event.target.value)}>
            <option value="">Choose an experiment</option>
            {experiments.map(({ id, name, runCount }) => (
              <option key={id} value={id}>
                {name} ({formatNumberOf(runCount, 'run')})
              </option>
            ))}
          </Select>
        </Field>
        <Field label="On the cases of">
          <Select value={datasetId} onChange={(event) => setDataset(event.target.value)}>
            <option value="">the experiment’s newest batch</option>
            {datasets.map(({ id, name, caseCount }) => (
              <option key={id} value={id}>
                {name} ({formatNumberOf(caseCount, 'case')})
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Times each case" help="1 to 10; more than once evens out a model that wavers">
          <Input numeric value={repetitions} onChange={(event) => setRepetitions(event.target.value)} />
        </Field>
        {estimate === undefined ? null : estimate.ok ? (
          <p className="text-sm" data-testid="trial-estimate">
            {formatNumberOf(estimate.value.cases, 'case')}
            {estimate.value.leftOut > 0 ? ` (${estimate.value.leftOut} left out)` : ''},{' '}
            {formatNumberOf(estimate.value.runs, 'run')}, about {callLabel(estimate.value.calls)} model calls.
          </p>
        ) : (
          <Notice tone="worse">{estimate.problem.message}</Notice>
        )}
        <DialogFoot
          action="Start the trial"
          busy="Starting"
          isBusy={isBusy}
          isReady={estimate?.ok === true}
          onAction={() => void start()}
          onCancel={() => onOpenChange(false)}
          problem={problem === null ? null : { title: 'No trial was started.', message: problem }}
        />
      </div>
    </Dialog>
  );
}

function callLabel({ lowest, highest }: TrialEstimate['calls']): string {
  return lowest === highest ? formatCount(lowest) : `${formatCount(lowest)} to ${formatCount(highest)}`;
}
