'use client';

import { Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { problemAt, refusalOf } from '#components/access/refusal-of.ts';
import { type EstimateRuns, RunEstimate } from '#components/estimate/run-estimate.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import { read } from './draft-entries.ts';

export type StartRunFormProps = {
  experimentId: string;
  /** What the criteria make of a case's reference: some can score nothing without one, some may use one, or none does. */
  reference: 'needed' | 'used' | 'unused';
  /** Whether a judge is shown it. */
  isReferenceJudged: boolean;
  datasets: readonly { id: string; name: string; caseCount: number }[];
  /** The dataset that is offered first; null where a text is. */
  datasetId: string | null;
  start: (input: unknown) => Promise<Result<{ batchId: string; runIds: string[] }>>;
  estimate: EstimateRuns;
  onStarted?: () => void;
};

/** Characters of a case that are sent with each estimate; of a longer one its length is. */
const MOST_SENT = 4_000;

/** Starts one run over a text, or one run for each case of a dataset; or several of each. */
export function StartRunForm({
  experimentId,
  reference: referenceIs,
  isReferenceJudged,
  datasets,
  datasetId: offered,
  start,
  estimate,
  onStarted,
}: StartRunFormProps) {
  const router = useRouter();
  const known = datasets.find(({ id }) => id === offered);
  const [source, setSource] = useState<'text' | 'dataset'>(known === undefined ? 'text' : 'dataset');
  const [input, setInput] = useState('');
  const [reference, setReference] = useState('');
  const [datasetId, setDatasetId] = useState(known?.id ?? datasets[0]?.id ?? '');
  const [repetitions, setRepetitions] = useState('1');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isStarting, startStarting] = useTransition();
  const errorAt = (field: string) => problemAt(problem, field);
  const dataset = datasets.find(({ id }) => id === datasetId);
  const cases = source === 'dataset' ? { datasetId } : { input, ...(reference.trim() === '' ? {} : { reference }) };
  const count = (source === 'dataset' ? (dataset?.caseCount ?? 0) : 1) * Math.max(1, Number(repetitions) || 1);

  // The text itself is not sent at every key: its length tells enough.
  const estimatedCase =
    input === '' ? {} : input.length <= MOST_SENT ? { input } : { inputLength: Math.min(input.length, 200_000) };
  const estimated = { ...(source === 'dataset' ? { datasetId } : estimatedCase), repetitions: read(repetitions) };

  function send(event: FormEvent) {
    event.preventDefault();
    startStarting(async () => {
      const result = await start({ ...cases, repetitions: read(repetitions) }).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Look at the list of runs before you try again.'),
      );
      if (!result.ok) return setProblem(result.problem);
      setProblem(null);
      onStarted?.();
      const only = result.value.runIds.length === 1 ? result.value.runIds[0] : undefined;
      router.push(only ? `/runs/${only}` : `/experiments/${experimentId}?batch=${result.value.batchId}`);
      router.refresh();
    });
  }

  return (
    <form className="flex flex-col gap-3" onSubmit={send} noValidate>
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
          {referenceIs === 'unused' ? null : (
            <Field
              label="Reference answer"
              help={`${referenceIs === 'needed' ? 'Required: a criterion compares with it. ' : ''}${isReferenceJudged ? 'Shown to judges only' : 'For scoring only; never shown to models'}`}
              error={errorAt('reference')}
            >
              <Input value={reference} onChange={(event) => setReference(event.target.value)} />
            </Field>
          )}
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
      <Field
        label="Runs of each case"
        help="1 to 20. Several tell luck from skill; at temperature 0 they may all come out alike."
        error={errorAt('repetitions')}
      >
        <Input
          inputMode="numeric"
          className="max-w-24"
          value={repetitions}
          onChange={(event) => setRepetitions(event.target.value)}
        />
      </Field>
      <RunEstimate estimate={estimate} of={experimentId} input={JSON.stringify(estimated)} />
      {problem && !['input', 'reference', 'datasetId', 'repetitions'].includes(problem.field ?? '') ? (
        <p className="text-sm text-worse" role="alert">
          ✕ {problem.message}
        </p>
      ) : null}
      <Button type="submit" variant="primary" size="large" disabled={isStarting}>
        <Play className="size-3.25" aria-hidden />
        {isStarting ? 'Starting' : buttonLabel(source, dataset?.caseCount ?? 0, count)}
      </Button>
    </form>
  );
}

/** What the button will do: `Run`, `Run 24 cases`, `Run 24 cases, 72 runs`. */
function buttonLabel(source: 'text' | 'dataset', caseCount: number, count: number): string {
  if (source === 'text') return count > 1 ? `Run it ${formatNumberOf(count, 'time')}` : 'Run';
  const cases = `Run ${formatNumberOf(caseCount, 'case')}`;
  return count > caseCount ? `${cases}, ${formatNumberOf(count, 'run')}` : cases;
}

/** The button that runs an experiment once more, and the form behind it. */
export function StartRunDialog(props: Omit<StartRunFormProps, 'onStarted'>) {
  const [isOpen, setOpen] = useState(false);
  const dataset = props.datasets.find(({ id }) => id === props.datasetId);
  return (
    <>
      <MayButton needs="editor" variant="primary" onClick={() => setOpen(true)}>
        <Play className="size-3.25" aria-hidden />
        {dataset === undefined ? 'Run a case' : `Run ${formatNumberOf(dataset.caseCount, 'case')}`}
      </MayButton>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Start a run">
        <StartRunForm {...props} onStarted={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
