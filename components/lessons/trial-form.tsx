'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { type ApiAnswer, callApi } from '#components/api/call-api.ts';
import { DatasetSelect } from '#components/datasets/dataset-select.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { ModalDialog } from '#components/ui/modal-dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { useDatasetChoices, useExperimentChoices } from './use-experiment-choices.ts';

type TrialEstimate = ApiAnswer<'POST /api/v1/lessons/{id}/trials/estimate'>;

type TrialFormProps = {
  lessonId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onStarted: () => void;
};

/** Dialog that starts a trial of a lesson on other cases, with an estimate of its model calls. */
export function TrialForm({ lessonId, open, onOpenChange, onStarted }: TrialFormProps) {
  const toast = useToast();
  const experiments = useExperimentChoices(open);
  const datasets = useDatasetChoices(open);
  const [experimentId, setExperiment] = useState('');
  const [datasetId, setDataset] = useState('');
  const [repetitions, setRepetitions] = useState('1');
  const { isBusy, problem, submit } = useSubmit();
  const input = { experimentId, datasetId: datasetId === '' ? null : datasetId, repetitions: Number(repetitions) };
  const { data: estimate } = useQuery({
    queryKey: ['trial-estimate', lessonId, input],
    enabled: open && experimentId !== '',
    queryFn: ({ signal }) =>
      callApi('POST /api/v1/lessons/{id}/trials/estimate', { params: { id: lessonId }, body: input, signal }),
  });

  function start() {
    submit(callApi('POST /api/v1/lessons/{id}/trials', { params: { id: lessonId }, body: input }), ({ runs }) => {
      toast(`Replay test started: ${formatNumberOf(runs, 'run')}`);
      onOpenChange(false);
      onStarted();
    });
  }

  return (
    <ModalDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Test on other cases"
      description="Runs the same cases twice: without lessons, and with only this lesson. Excludes cases it was learned from. The runs write no lessons and pause only for tools that need approval."
    >
      <div className="flex flex-col gap-3">
        <Field label="Experiment" error={experiments.error}>
          <Select value={experimentId} onValue={setExperiment}>
            <option value="">Choose an experiment</option>
            <Options
              of={experiments.choices
                .filter(({ name }) => !name.startsWith('Trial of a lesson:'))
                .map(({ id, name, runCount }) => [id, `${name}, ${formatNumberOf(runCount, 'run')}`])}
            />
          </Select>
        </Field>
        <Field label="Cases" error={datasets.error}>
          <DatasetSelect
            datasets={datasets.choices}
            value={datasetId}
            onChange={setDataset}
            none="latest batch of the experiment"
          />
        </Field>
        <Field label="Runs per case" help="1 to 10. More runs reduce random variation.">
          <Input numeric value={repetitions} onValue={setRepetitions} />
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
          action="Start test"
          busy="Starting"
          isBusy={isBusy}
          isReady={estimate?.ok === true}
          onAction={start}
          onCancel={() => onOpenChange(false)}
          problem={problem === null ? null : { title: 'The test was not started', message: problem.message }}
        />
      </div>
    </ModalDialog>
  );
}

function callLabel({ lowest, highest }: TrialEstimate['calls']): string {
  return lowest === highest ? formatCount(lowest) : `${formatCount(lowest)} to ${formatCount(highest)}`;
}
