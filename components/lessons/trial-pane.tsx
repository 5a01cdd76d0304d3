'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { type ApiAnswer, callApi, readApi } from '#components/api/call-api.ts';
import { DatasetSelect } from '#components/datasets/dataset-select.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { LocalTime } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ScoreChange } from '#components/ui/score-change.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { formatCount, formatNumberOf, formatScore, formatTitle } from '#lib/format.ts';
import type { TrialReport } from '#lib/statistics/trial-report.ts';
import { liftCounts, liftSentence } from './lesson-labels.ts';
import { useDatasetChoices, useExperimentChoices } from './use-experiment-choices.ts';

const POLL_MS = 2_000;

/** Shows the trials of a lesson, with and without it on other cases, and starts new ones. */
export function TrialPane({ lesson }: { lesson: Pick<LessonDetail, 'id' | 'status'> }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const queryKey = ['trials', lesson.id];
  const { data: trials } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await readApi('GET /api/v1/lessons/{id}/trials', { params: { id: lesson.id }, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ ended, runs }) => ended < runs) ? POLL_MS : false),
  });
  const canTry = lesson.status === 'quarantined' || lesson.status === 'promoted';
  return (
    <Pane data-testid="trials" aria-labelledby="trials-title">
      <PaneHeader titleId="trials-title" title="Replay test" note="The same cases with and without the lesson" />
      <div className="flex flex-col gap-3" aria-live="polite">
        {(trials ?? []).map((trial) => (
          <TrialResult key={trial.id} trial={trial} />
        ))}
        {trials?.length === 0 ? <p className="text-ink-2 text-sm">No replay tests yet.</p> : null}
      </div>
      {canTry ? (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <RoleButton needs="editor" size="small" onClick={() => setAsking(true)}>
            <FlaskConical />
            Test on cases
          </RoleButton>
        </div>
      ) : (
        <p className="mt-2 text-ink-2 text-sm">
          You can test a lesson while it waits for review or once it is promoted.
        </p>
      )}
      <TrialForm
        lessonId={lesson.id}
        open={isAsking}
        onOpenChange={setAsking}
        onStarted={() => void queryClient.invalidateQueries({ queryKey })}
      />
    </Pane>
  );
}

type TrialEstimate = ApiAnswer<'POST /api/v1/lessons/{id}/trials/estimate'>;

type TrialFormProps = {
  lessonId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onStarted: () => void;
};

function TrialForm({ lessonId, open, onOpenChange, onStarted }: TrialFormProps) {
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
    <Dialog
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
    </Dialog>
  );
}

function callLabel({ lowest, highest }: TrialEstimate['calls']): string {
  return lowest === highest ? formatCount(lowest) : `${formatCount(lowest)} to ${formatCount(highest)}`;
}

function TrialResult({ trial }: { trial: TrialReport }) {
  const { result, firstDraft, ended, runs, repetitions } = trial;
  return (
    <article data-testid="trial">
      <p className="font-medium">
        {ended < runs ? `${ended} of ${runs} runs ended. Preliminary, and often only noise: ` : ''}
        {liftSentence(result)}
      </p>
      <p className="mt-1 text-ink-2 text-sm">
        {liftCounts(result)} {firstDraft.n === 0 ? '' : `First versions: ${liftSentence(firstDraft)}`}
      </p>
      {result.harmedCases.length > 0 ? (
        <p className="wrap-anywhere mt-1 text-sm">
          <b className="font-medium">Hurt</b>:{' '}
          {result.harmedCases
            .slice(0, 5)
            .map((one) => `“${formatTitle(one.case, 60)}” (${formatScore(one.without)} to ${formatScore(one.with)})`)
            .join(', ')}
          {result.harmedCases.length > 5 ? ` and ${result.harmedCases.length - 5} more` : ''}
        </p>
      ) : null}
      <details className="mt-2 text-sm">
        <summary className="link">
          {formatNumberOf(trial.cases.length, 'case')}
          {repetitions > 1 ? `, ${repetitions} times each` : ''}
        </summary>
        <CaseTable trial={trial} />
      </details>
      <p className="mt-1 text-ink-3 text-sm">
        <TextLink href={`/experiments/${trial.experimentId}`}>{trial.experimentName}</TextLink>, started by{' '}
        {trial.requestedBy}, <LocalTime moment={trial.createdAt} />
      </p>
    </article>
  );
}

function CaseTable({ trial }: { trial: TrialReport }) {
  return (
    <Table scrollLabel="Test cases" isTight className="mt-2">
      <TableHead>
        <ColumnHead>Case</ColumnHead>
        <NumberHead>Without</NumberHead>
        <NumberHead>With</NumberHead>
        <NumberHead>Change</NumberHead>
      </TableHead>
      <tbody>
        {trial.cases.map((one) => (
          <tr key={one.runWithId ?? one.runWithoutId ?? one.case}>
            <RowHead className="wrap-anywhere whitespace-normal font-normal">{formatTitle(one.case, 80)}</RowHead>
            <NumberCell>
              <ScoreLink runId={one.runWithoutId} score={one.without} />
            </NumberCell>
            <NumberCell>
              <ScoreLink runId={one.runWithId} score={one.with} />
            </NumberCell>
            <NumberCell>
              {one.without === null || one.with === null ? '–' : <ScoreChange by={one.with - one.without} />}
            </NumberCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function ScoreLink({ runId, score }: { runId: string | null; score: number | null }) {
  if (runId === null) return '–';
  return <TextLink href={`/runs/${runId}`}>{formatScore(score)}</TextLink>;
}
