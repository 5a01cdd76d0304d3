'use client';

import { useState } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { RoleButton } from '#components/access/role-controls.tsx';
import { RoleLink } from '#components/access/role-link.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';

type DatasetHeadProps = {
  dataset: { id: string; name: string; caseCount: number; withReference: number; latestVersion: number };
  /** Names of the experiments that use the dataset, newest first. */
  usedBy: readonly string[];
};

/** Shows the name and facts of the open dataset, with actions to rename and delete it. */
export function DatasetHead({ dataset, usedBy }: DatasetHeadProps) {
  const { id, name, caseCount, withReference, latestVersion } = dataset;
  const [isRenamed, setRenamed] = useState(false);
  const [first, second, ...more] = usedBy;
  const users = [first, second].filter((user) => user !== undefined).join(', ');
  return (
    <Pane className="pb-2.5">
      <PaneHeader className="m-0">
        <h2 className="wrap-anywhere">{name}</h2>
        <span className="text-ink-3 text-sm">
          {formatNumberOf(caseCount, 'case')} · {formatCount(withReference)} with reference · v{latestVersion} ·{' '}
          {users === ''
            ? 'not used yet'
            : `used by ${users}${more.length > 0 ? ` and ${formatCount(more.length)} more` : ''}`}
        </span>
        <span className="ml-auto flex items-center gap-2">
          {caseCount > 0 ? (
            <RoleLink needs="editor" href={`/experiments/new?dataset=${id}`}>
              Use in experiment
            </RoleLink>
          ) : null}
          <RoleButton needs="editor" variant="ghost" onClick={() => setRenamed(true)}>
            Rename
          </RoleButton>
          <DeleteButton
            name={name}
            what={`The dataset, its ${formatNumberOf(caseCount, 'case')} and its history`}
            route="DELETE /api/v1/datasets/{id}"
            request={{ params: { id } }}
            goTo="/datasets"
          />
        </span>
      </PaneHeader>
      {isRenamed ? <RenameDialog id={id} name={name} onClose={() => setRenamed(false)} /> : null}
    </Pane>
  );
}

function RenameDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const [next, setNext] = useState(name);
  const { isBusy, problem, submit } = useSubmit('Hone did not respond.');
  const rename = () => submitApi('PATCH /api/v1/datasets/{id}', { params: { id }, body: { name: next } });
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Rename dataset">
      <SubmitForm className="flex flex-col gap-3" onSubmit={() => submit(rename(), onClose)}>
        <Field label="Name" error={problem?.message ?? null}>
          <Input value={next} onValue={setNext} />
        </Field>
        <DialogFoot action="Rename" busy="Renaming" isBusy={isBusy} isReady={next.trim() !== ''} onCancel={onClose} />
      </SubmitForm>
    </Dialog>
  );
}
