'use client';

import { useState } from 'react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { type DatasetSplitCounts, SplitBar } from './split-bar.tsx';

/** Shows the splits of a dataset and assigns unassigned cases to splits. */
export function SplitsPane({ dataset }: { dataset: DatasetSplitCounts & { id: string } }) {
  const { caseCount, train, validation, heldOut } = dataset;
  const free = caseCount - train - validation - heldOut;
  const rows: [string, number, string][] = [
    ['Training', train, 'Tuning runs test candidates on them.'],
    ['Validation', validation, 'Tuning runs choose between candidates by them.'],
    ['Held out', heldOut, 'Tuning runs never see them. The final improvement is measured on them.'],
    ['Unassigned', free, 'Each tuning run splits them with its own seed.'],
  ];
  return (
    <Pane className="border-b-0" data-testid="splits">
      <div className="max-w-160">
        <SplitBar className="h-3" sides={dataset} />
        <Table className="mt-3">
          <TableHead>
            <ColumnHead>Split</ColumnHead>
            <NumberHead>Cases</NumberHead>
            <ColumnHead>Use</ColumnHead>
          </TableHead>
          <tbody>
            {rows.map(([side, count, meaning]) => (
              <tr key={side}>
                <RowHead>{side}</RowHead>
                <NumberCell>{formatCount(count)}</NumberCell>
                <td className="text-ink-2 text-sm">{meaning}</td>
              </tr>
            ))}
          </tbody>
        </Table>
        {free > 0 ? (
          <SplitForm datasetId={dataset.id} free={free} />
        ) : (
          <p className="mt-3 text-ink-2 text-sm">
            Every case has a split. The tags train and validation move a case to that split. A held-out case never
            changes its split, because runs are measured on it.
          </p>
        )}
      </div>
    </Pane>
  );
}

function SplitForm({ datasetId, free }: { datasetId: string; free: number }) {
  const toast = useToast();
  const [heldOut, setHeldOut] = useState('25');
  const [validation, setValidation] = useState('0');
  const [balanceBy, setBalanceBy] = useState('tag');
  const [seed, setSeed] = useState('0');
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was split.');
  const heldOutCount = Math.round((free * Number(heldOut)) / 100);
  const tried = Math.round(((free - heldOutCount) * Number(validation)) / 100);
  const isValid = [heldOut, validation].every((text) => /^\d{1,3}$/.test(text) && Number(text) <= 100);
  function send() {
    const shares = { heldOutShare: Number(heldOut) / 100, validationShare: Number(validation) / 100 };
    const body = { ...shares, balanceBy, seed: Number(seed) };
    submit(submitApi('POST /api/v1/datasets/{id}/splits', { params: { id: datasetId }, body }), (sizes) => {
      toast(`Split into ${sizes.train} training, ${sizes.validation} validation and ${sizes.heldOut} held-out cases`);
    });
  }
  return (
    <RoleGate needs="editor">
      <SubmitForm className="mt-5 flex flex-col gap-3" onSubmit={send}>
        <h2>Split {formatNumberOf(free, 'case')}</h2>
        <div className="grid grid-cols-1 narrow:grid-cols-4 gap-4">
          <Field label="Held out (%)" error={errorAt('heldOutShare')}>
            <Input numeric value={heldOut} onValue={setHeldOut} />
          </Field>
          <Field label="Validation (%)" error={errorAt('validationShare')}>
            <Input numeric value={validation} onValue={setValidation} />
          </Field>
          <Field label="Balance by">
            <Select value={balanceBy} onValue={setBalanceBy}>
              <option value="tag">tag</option>
              <option value="nothing">nothing</option>
            </Select>
          </Field>
          <Field label="Seed" error={errorAt('seed')}>
            <Input numeric value={seed} onValue={(value) => setSeed(value.replaceAll(/\D/g, '').slice(0, 9))} />
          </Field>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" disabled={isBusy || !isValid}>
            {isBusy ? 'Splitting' : `Split ${formatNumberOf(free, 'case')}`}
          </Button>
          <span className="text-ink-2 text-sm" role="status">
            {isValid
              ? `${formatCount(free - heldOutCount - tried)} training, ${formatCount(tried)} validation, ${formatCount(heldOutCount)} held out. Cases with a split keep it.`
              : 'Enter whole percentages from 0 to 100.'}
          </span>
        </div>
        <p className="text-ink-2 text-sm">
          You cannot undo this for held-out cases. Runs are measured on them, so they never change their split.
        </p>
        {problem && problem.field === null ? <InlineError>{problem.message}</InlineError> : null}
      </SubmitForm>
    </RoleGate>
  );
}
