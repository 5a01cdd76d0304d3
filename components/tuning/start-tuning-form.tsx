'use client';

import { Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { DatasetSelect } from '#components/datasets/dataset-select.tsx';
import { RunEstimate } from '#components/estimate/run-estimate.tsx';
import { countSplits, SplitCounts, type TunableDataset } from '#components/experiment/split-counts.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { parseJson } from '#lib/core/json-values.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

type StartTuningFormProps = {
  experimentId: string;
  version: number;
  settings: ExperimentSettings;
  datasets: readonly TunableDataset[];
  datasetId: string | null;
  start: (input: unknown) => Promise<Result<{ batchId: string; runIds: string[] }>>;
};

/** Starts a run that tunes the prompt on a dataset or on pasted cases. The possible cost is shown first. */
export function StartTuningForm(props: StartTuningFormProps) {
  const { experimentId, version, settings, datasets, datasetId: datasetParam, start } = props;
  const router = useRouter();
  const [source, setSource] = useState<'dataset' | 'pasted'>(datasets.length > 0 ? 'dataset' : 'pasted');
  const [datasetId, setDatasetId] = useState(
    datasets.find(({ id }) => id === datasetParam)?.id ?? datasets[0]?.id ?? '',
  );
  const [text, setText] = useState('');
  const { isBusy, problem, setProblem, errorAt, submit } = useSubmit(
    'Hone did not respond. Check the list of runs before you try again.',
  );
  const dataset = source === 'dataset' ? datasets.find(({ id }) => id === datasetId) : undefined;
  const counts = useMemo(
    () => (dataset === undefined ? null : countSplits(settings.tune, dataset)),
    [settings.tune, dataset],
  );
  const isAtCases = problem?.field?.startsWith('cases') === true || problem?.field === 'input';

  function send() {
    const cases = source === 'dataset' ? null : readPastedCases(text);
    if (cases !== null && !cases.ok) return setProblem(cases.problem);
    submit(start(cases === null ? { datasetId } : { cases: cases.value }), ({ runIds: [runId] }) => {
      if (runId !== undefined) router.push(`/runs/${runId}`);
    });
  }

  return (
    <RoleGate needs="editor">
      <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
        {datasets.length > 0 ? (
          <Segmented
            label="Tune on"
            value={source}
            onChange={setSource}
            choices={[
              { value: 'dataset', label: 'Dataset' },
              { value: 'pasted', label: 'Pasted cases' },
            ]}
          />
        ) : null}
        {source === 'dataset' ? (
          <Field label="Dataset" error={errorAt('datasetId')}>
            <DatasetSelect datasets={datasets} value={datasetId} onChange={setDatasetId} />
          </Field>
        ) : (
          <Field
            label="Cases"
            help={'One case per line: {"input": "…", "reference": "…"}, or plain text without a reference'}
            error={isAtCases ? problem.message : null}
          >
            <Textarea isCode rows={6} value={text} onValue={setText} />
          </Field>
        )}
        {counts ? (
          <p className="flex flex-col gap-1 text-ink-2 text-sm" role="status">
            <SplitCounts counts={counts} />
            <span>Saved responses are not billed again.</span>
          </p>
        ) : null}
        <RunEstimate
          experimentId={experimentId}
          version={version}
          input={dataset === undefined ? null : JSON.stringify({ datasetId: dataset.id })}
        />
        {problem && !isAtCases && problem.field !== 'datasetId' ? <InlineError>{problem.message}</InlineError> : null}
        <Button type="submit" variant="primary" size="large" disabled={isBusy}>
          <Play />
          {isBusy ? 'Starting' : 'Tune'}
        </Button>
      </SubmitForm>
    </RoleGate>
  );
}

/**
 * Parses pasted cases, one per line: a JSON object with `input` and optional `reference`, `tags` and `metadata`, or plain text as the
 * input. Returns an error with the line number for a line that starts like an object but is not valid.
 */
export function readPastedCases(text: string): Result<unknown[]> {
  const cases: unknown[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const read = trimmed.startsWith('{') ? parseJson(trimmed) : { input: trimmed };
    if (read === undefined) return fail('invalid', `line ${index + 1} is not a valid JSON object`, 'cases');
    cases.push(read);
  }
  if (cases.length === 0) return fail('invalid', 'paste at least one case, one per line', 'cases');
  return succeed(cases);
}
