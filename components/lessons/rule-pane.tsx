'use client';

import { useQuery } from '@tanstack/react-query';
import { Copy, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { useCopy } from '#components/ui/copy-text.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { ruleText } from '#lib/lessons/rule-text.ts';
import { useExperimentChoices } from './use-experiment-choices.ts';

type RuleLesson = Pick<LessonDetail, 'id' | 'kind' | 'status' | 'text'>;

/** Offers a promoted principle as a permanent rule of an experiment's prompt, and a promoted procedure as a playbook. */
export function RulePane({ lesson }: { lesson: RuleLesson }) {
  const copy = useCopy();
  const [isOpen, setOpen] = useState(false);
  const { kind, text } = lesson;
  if (lesson.status !== 'promoted' || (kind !== 'principle' && kind !== 'procedure')) return null;
  const name = kind === 'principle' ? 'a permanent rule' : 'a playbook';
  return (
    <Pane aria-labelledby="rule-title" data-testid="lesson-rule">
      <PaneHeader titleId="rule-title" title={`Use as ${name}`} />
      <p className="text-ink-2 text-sm">
        {kind === 'principle'
          ? 'A principle always applies. Add it to the instructions of an experiment instead of recalling it.'
          : 'Add a procedure to the instructions of an experiment as steps to follow.'}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <RoleButton needs="editor" size="small" onClick={() => setOpen(true)}>
          <ScrollText />
          Add to instructions
        </RoleButton>
        <Button size="small" variant="ghost" onClick={() => copy(ruleText({ kind, text }), `Copied as ${name}`)}>
          <Copy />
          Copy as {name}
        </Button>
      </div>
      <AddRule lessonId={lesson.id} name={name} open={isOpen} onOpenChange={setOpen} />
    </Pane>
  );
}

type AddRuleProps = { lessonId: string; name: string; open: boolean; onOpenChange: (open: boolean) => void };

function AddRule({ lessonId, name, open, onOpenChange }: AddRuleProps) {
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
    <Dialog
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
    </Dialog>
  );
}
