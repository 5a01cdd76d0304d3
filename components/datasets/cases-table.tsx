'use client';

import { Pencil, Plus, Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import Form from 'next/form';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { CaseInput } from '#components/case/case-input.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { DialogLoading } from '#components/ui/dialog.tsx';
import { Input, Select } from '#components/ui/field.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { LongText } from '#components/ui/long-text.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { VirtualRows } from '#components/ui/virtual-rows.tsx';
import { ownTags } from '#lib/datasets/split-tags.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { ShownCase } from './case-dialog.tsx';
import { SPLIT_LABELS } from './split-bar.tsx';

const CaseDialog = dynamic(() => loadOrRetry(() => import('./case-dialog.tsx').then((file) => file.CaseDialog)), {
  ssr: false,
  loading: DialogLoading,
});

type CasesTableProps = {
  datasetId: string;
  cases: readonly ShownCase[];
  /** Latest version. Null if an older one is shown, which is read-only. */
  version: number | null;
};

/** Table of numbered cases. Renders only visible rows. Selected cases can be removed together. */
export function CasesTable({ datasetId, cases, version }: CasesTableProps) {
  const [edited, setEdited] = useState<ShownCase | 'new' | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [isAsked, setAsked] = useState(false);
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond. Nothing was removed.');
  const chosen = cases.filter(({ number }) => ticked.has(number));
  const toggle = (number: number) => {
    const next = new Set(ticked);
    if (!next.delete(number)) next.add(number);
    setTicked(next);
  };
  function remove() {
    const done = chosen.length === 1 ? 'Case removed' : `${chosen.length} cases removed`;
    const body = { remove: chosen.map(({ number }) => number), version };
    submitWithToast(submitApi('PATCH /api/v1/datasets/{id}', { params: { id: datasetId }, body }), done, ({ ok }) => {
      setAsked(false);
      if (ok) setTicked(new Set());
    });
  }
  return (
    <>
      {version === null ? null : (
        <Pane className="flex flex-wrap items-center gap-2 border-b-0 py-2.5">
          <RoleButton needs="editor" size="small" onClick={() => setEdited('new')}>
            <Plus />
            Add case
          </RoleButton>
          {chosen.length > 0 ? (
            <RoleButton needs="editor" size="small" onClick={() => setAsked(true)}>
              <Trash2 />
              Remove {chosen.length}
            </RoleButton>
          ) : null}
        </Pane>
      )}
      <Table scrollLabel="Cases" isInset className="table-fixed" data-testid="cases" aria-rowcount={cases.length + 1}>
        <TableHead>
          <NumberHead className="w-20 max-narrow:w-14">№</NumberHead>
          <ColumnHead>Input</ColumnHead>
          <ColumnHead className="w-[26%] max-narrow:pr-4">Reference</ColumnHead>
          <ColumnHead className="w-[14%] max-narrow:hidden">Tags</ColumnHead>
          <ColumnHead className="w-24 max-narrow:hidden">Split</ColumnHead>
          {version === null ? null : (
            <ColumnHead hideLabel className="w-20">
              Edit or select
            </ColumnHead>
          )}
        </TableHead>
        <VirtualRows
          rows={cases}
          rowHeight={34}
          keyOf={({ number }) => number}
          cells={(found) => (
            <>
              <NumberCell className="align-top text-ink-3">{found.number}</NumberCell>
              <td className="wrap-anywhere whitespace-pre-wrap align-top">
                {found.messages ? (
                  <CaseInput input={found.input} messages={found.messages} />
                ) : (
                  <LongText text={found.input} of="the input" />
                )}
              </td>
              <td className="wrap-anywhere align-top max-narrow:pr-4">
                {found.reference === null ? (
                  <span className="text-ink-3">none</span>
                ) : (
                  <LongText text={found.reference} of="the reference" />
                )}
              </td>
              <td className="align-top text-sm max-narrow:hidden">
                {ownTags(found).map((tag) => (
                  <Badge key={tag} tone="plain" className="mr-1 mb-0.5 max-w-full align-top">
                    <span className="truncate leading-normal" title={tag}>
                      {tag}
                    </span>
                  </Badge>
                ))}
                {found.criteria ? (
                  <Badge tone="plain" className="mb-0.5">
                    own criteria
                  </Badge>
                ) : null}
              </td>
              <td className="whitespace-nowrap align-top text-sm max-narrow:hidden">
                {SPLIT_LABELS[found.split ?? 'undivided']}
              </td>
              {version === null ? null : (
                <td className="align-top">
                  <span className="-my-0.75 flex items-center justify-end gap-1">
                    <RoleButton
                      needs="editor"
                      variant="ghost"
                      size="smallIcon"
                      aria-label={`Edit case ${found.number}`}
                      onClick={() => setEdited(found)}
                    >
                      <Pencil />
                    </RoleButton>
                    <input
                      type="checkbox"
                      className="size-4 accent-brand"
                      aria-label={`Select case ${found.number}`}
                      checked={ticked.has(found.number)}
                      onChange={() => toggle(found.number)}
                    />
                  </span>
                </td>
              )}
            </>
          )}
        />
      </Table>
      {edited !== null && version !== null ? (
        <CaseDialog
          key={edited === 'new' ? 'new' : edited.number}
          edited={edited === 'new' ? null : edited}
          version={version}
          datasetId={datasetId}
          onClose={() => setEdited(null)}
        />
      ) : null}
      <RemoveCases isOpen={isAsked} cases={chosen} isBusy={isBusy} onRemove={remove} onClose={() => setAsked(false)} />
    </>
  );
}

type RemoveCasesProps = {
  isOpen: boolean;
  cases: readonly { number: number; split: string | null }[];
  isBusy: boolean;
  onRemove: () => void;
  onClose: () => void;
};

function RemoveCases({ isOpen, cases, isBusy, onRemove, onClose }: RemoveCasesProps) {
  const heldOut = cases.filter(({ split }) => split === 'held_out').length;
  const what = cases.length === 1 ? `case ${cases[0]?.number ?? ''}` : formatNumberOf(cases.length, 'case');
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${what}?`}
      description={`Existing runs and older versions of the dataset keep them.${heldOut > 0 ? ` ${formatNumberOf(heldOut, 'held-out case')} will no longer be measured.` : ''}`}
      action="Remove"
      busy="Removing"
      isBusy={isBusy}
      onConfirm={onRemove}
    />
  );
}

type CaseFiltersProps = { path: string; search: string; split: string | null; version: number | null };

/** Filters cases by text and split. A plain form with its state in the URL, so it works without JavaScript. */
export function CaseFilters({ path, search, split, version }: CaseFiltersProps) {
  return (
    <Pane asChild className="flex flex-wrap items-center gap-2 border-b-0 pb-0">
      <Form action={path} aria-label="Filter cases" scroll={false}>
        <Input
          className="max-w-60 flex-[1_1_9rem]"
          type="search"
          name="find"
          defaultValue={search}
          placeholder="Text or tag of a case"
          aria-label="Search cases"
        />
        <Select className="w-auto" name="split" defaultValue={split ?? ''} aria-label="Split">
          <option value="">Any split</option>
          <Options of={Object.entries(SPLIT_LABELS)} />
        </Select>
        {version === null ? null : <input type="hidden" name="version" value={version} />}
        <Button type="submit" size="small">
          Search
        </Button>
      </Form>
    </Pane>
  );
}
