'use client';

import { Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { RunEstimate } from '#components/estimate/run-estimate.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { FormErrors } from '#components/ui/form-errors.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { ModalDialog } from '#components/ui/modal-dialog.tsx';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { fail, problemsOf, type Result } from '#lib/core/problem.ts';
import type { CaseSource } from './case-sources.ts';
import { CasesFields } from './cases-fields.tsx';
import type { ReferenceUse } from './reference-use.ts';
import { casesProblems, estimatedCases, runLabel, useCases } from './use-cases.ts';

export type StartRunFormProps = ReferenceUse & {
  experimentId: string;
  /** Name of the experiment. Pasted cases are stored as a dataset named after it. */
  name: string;
  datasets: readonly { id: string; name: string; caseCount: number }[];
  /** Default dataset. Null if the default is a typed input. */
  datasetId: string | null;
  /** Default case source. If omitted: the dataset, or else a typed input. */
  source?: CaseSource | null;
  start: (input: unknown) => Promise<Result<{ batchId: string; runIds: string[] }>>;
  onStarted?: () => void;
};

const CASE_FIELDS = ['input', 'reference', 'datasetId', 'start.import', 'repetitions'];

/** Starts one or several runs for an input, or for each case of a dataset. */
export function StartRunForm(props: StartRunFormProps) {
  const { experimentId, name, reference, isReferenceJudged, datasets, datasetId, source, start, onStarted } = props;
  const router = useRouter();
  const known = datasets.find(({ id }) => id === datasetId);
  const cases = useCases({
    datasets,
    datasetId: known?.id ?? null,
    source: source ?? (known === undefined ? 'text' : 'dataset'),
  });
  const [repetitions, setRepetitions] = useState('1');
  const { isBusy, problem, submit } = useSubmit('Hone did not respond. Check the list of runs before you try again.');
  const times = Math.max(1, Number(repetitions) || 1);

  const estimated = { ...estimatedCases(cases), repetitions: parseNumberEntry(repetitions) };

  async function startRuns(): ReturnType<typeof start> {
    const [wrong] = casesProblems(cases);
    if (wrong !== undefined) return fail('invalid', wrong.message, wrong.field);
    const stored = await cases.store(name);
    return stored.ok ? start({ ...stored.value, repetitions: parseNumberEntry(repetitions) }) : stored;
  }

  function send() {
    submit(startRuns(), ({ batchId, runIds }) => {
      onStarted?.();
      const only = runIds.length === 1 ? runIds[0] : undefined;
      router.push(only ? `/runs/${only}` : `/experiments/${experimentId}?batch=${batchId}`);
    });
  }

  return (
    <FormErrors problems={problemsOf(problem)}>
      <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
        <CasesFields cases={cases} prefix="" reference={reference} isReferenceJudged={isReferenceJudged} />
        <Field
          label="Runs per case"
          help="1 to 20. Repeated runs show how much results vary. At temperature 0 they may be identical."
          path="repetitions"
        >
          <Input numeric value={repetitions} onValue={setRepetitions} />
        </Field>
        <RunEstimate experimentId={experimentId} input={JSON.stringify(estimated)} />
        {problem && !CASE_FIELDS.includes(problem.field ?? '') ? <InlineError>{problem.message}</InlineError> : null}
        <Button type="submit" variant="primary" size="large" disabled={isBusy}>
          <Play />
          {isBusy ? 'Starting' : runLabel(cases, times)}
        </Button>
      </SubmitForm>
    </FormErrors>
  );
}

type StartRunFormDialogProps = Omit<StartRunFormProps, 'onStarted'> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Dialog with the start form. */
export function StartRunFormDialog({ open, onOpenChange, ...props }: StartRunFormDialogProps) {
  return (
    <ModalDialog open={open} onOpenChange={onOpenChange} title="Start a run">
      <StartRunForm {...props} onStarted={() => onOpenChange(false)} />
    </ModalDialog>
  );
}
