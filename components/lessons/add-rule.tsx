'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi } from '#components/api/call-api.ts';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { ModalDialog } from '#components/ui/modal-dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { useExperimentChoices } from './use-experiment-choices.ts';

type AddRuleProps = { lessonId: string; name: string; open: boolean; onOpenChange: (open: boolean) => void };

/** Dialog that adds a lesson to the instructions of an experiment, with a diff of them. */
export function AddRule({ lessonId, name, open, onOpenChange }: AddRuleProps) {
  const toast = useToast();
  const experiments = useExperimentChoices(open);
  const [experimentId, setExperiment] = useState('');
  const { isBusy, problem, setProblem, settle } = useSubmit();
  const params = { id: lessonId };
  const { data: proposal, refetch } = useQuery({
    queryKey: ['rule-proposal', lessonId, experimentId],
    enabled: open && experimentId !== '',
    staleTime: 0,
    queryFn: ({ signal }) =>
      callApi('POST /api/v1/lessons/{id}/instructions', { params, body: { experimentId, preview: true }, signal }),
  });

  function add() {
    if (proposal?.ok !== true) return;
    const body = { experimentId, seenVersion: proposal.value.version };
    settle(callApi('POST /api/v1/lessons/{id}/instructions', { params, body }), (result) => {
      setProblem(result.ok ? null : result.problem);
      if (!result.ok) return void refetch();
      toast(`Added to “${result.value.name}”, settings v${result.value.addedVersion}`);
      onOpenChange(false);
      setExperiment('');
    });
  }

  return (
    <ModalDialog
      open={open}
      onOpenChange={onOpenChange}
      isWide
      title={`Add as ${name}`}
      description="Creates a new settings version of the experiment. Existing runs do not change."
    >
      <div className="flex flex-col gap-3">
        <Field label="Experiment" error={experiments.error}>
          <Select value={experimentId} onValue={setExperiment}>
            <option value="">Choose an experiment</option>
            <Options of={experiments.choices.map(({ id, name: experiment }) => [id, experiment])} />
          </Select>
        </Field>
        {proposal === undefined ? null : proposal.ok ? (
          <>
            <DiffView
              before={proposal.value.before}
              after={proposal.value.after}
              layout="unified"
              label="New instructions"
            />
            {proposal.value.before.trim() === '' ? (
              <p className="text-ink-2 text-sm">
                This experiment uses the default instructions. They are added too, so that they stay in effect.
              </p>
            ) : null}
          </>
        ) : (
          <Notice tone="worse">{proposal.problem.message}</Notice>
        )}
        <DialogFoot
          action="Add"
          busy="Adding"
          isBusy={isBusy}
          isReady={proposal?.ok === true}
          onAction={add}
          onCancel={() => onOpenChange(false)}
          problem={problem === null ? null : { title: 'Nothing was added', message: problem.message }}
        />
      </div>
    </ModalDialog>
  );
}
