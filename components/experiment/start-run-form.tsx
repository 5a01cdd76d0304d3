'use client';

import { Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { RunEstimate } from '#components/estimate/run-estimate.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { formatNumberOf } from '#lib/format.ts';
import { fail, type Problem, type Result } from '#lib/reflection/problem.ts';

type StartRunFormProps = {
  experimentId: string;
  needsReference: boolean;
  datasets: readonly { id: string; name: string; caseCount: number }[];
  start: (input: unknown) => Promise<Result<{ batchId: string; runIds: string[] }>>;
};

/** Starts one run over a text, or one run for each case of a dataset. */
export function StartRunForm({ experimentId, needsReference, datasets, start }: StartRunFormProps) {
  const router = useRouter();
  const [source, setSource] = useState<'text' | 'dataset'>('text');
  const [input, setInput] = useState('');
  const [reference, setReference] = useState('');
  const [datasetId, setDatasetId] = useState(datasets[0]?.id ?? '');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isStarting, startStarting] = useTransition();
  const errorAt = (field: string) => (problem?.field === field ? problem.message : null);
  const dataset = datasets.find(({ id }) => id === datasetId);

  const estimated =
    source === 'dataset' ? { datasetId } : input === '' ? {} : { inputLength: Math.min(input.length, 200_000) };

  function send(event: FormEvent) {
    event.preventDefault();
    const request = source === 'dataset' ? { datasetId } : { input, ...(reference.trim() === '' ? {} : { reference }) };
    startStarting(async () => {
      const result = await start(request).catch(() =>
        fail('unavailable', 'Hone did not answer. Look at the list of runs before you try again.'),
      );
      if (!result.ok) return setProblem(result.problem);
      setProblem(null);
      const only = result.value.runIds.length === 1 ? result.value.runIds[0] : undefined;
      router.push(only ? `/runs/${only}` : `/experiments/${experimentId}?batch=${result.value.batchId}`);
      router.refresh();
    });
  }

  return (
    <form className="stack gap-3" onSubmit={send} noValidate>
      {datasets.length > 0 ? (
        <Segmented
          label="Run over"
          value={source}
          onChange={setSource}
          choices={[
            { value: 'text', label: 'One text' },
            { value: 'dataset', label: 'A dataset' },
          ]}
        />
      ) : null}
      {source === 'text' ? (
        <>
          <Field label="Case" help="The task of this run" error={errorAt('input')}>
            <Textarea rows={4} value={input} onChange={(event) => setInput(event.target.value)} />
          </Field>
          {needsReference ? (
            <Field
              label="Reference answer"
              help="For scoring only; never shown to the models"
              error={errorAt('reference')}
            >
              <Input value={reference} onChange={(event) => setReference(event.target.value)} />
            </Field>
          ) : null}
        </>
      ) : (
        <Field label="Dataset" error={errorAt('datasetId')}>
          <Select value={datasetId} onChange={(event) => setDatasetId(event.target.value)}>
            {datasets.map(({ id, name, caseCount }) => (
              <option key={id} value={id}>
                {name}, {formatNumberOf(caseCount, 'case')}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <RunEstimate path={`/experiments/${experimentId}/estimate`} body={JSON.stringify(estimated)} />
      {problem && !['input', 'reference', 'datasetId'].includes(problem.field ?? '') ? (
        <p className="sm worse" role="alert">
          ✕ {problem.message}
        </p>
      ) : null}
      <Button type="submit" variant="primary" size="large" disabled={isStarting}>
        <Play className="i s" aria-hidden />
        {isStarting
          ? 'Starting'
          : source === 'dataset' && dataset
            ? `Run ${formatNumberOf(dataset.caseCount, 'case')}`
            : 'Run'}
      </Button>
    </form>
  );
}
