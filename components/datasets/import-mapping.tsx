import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import type { CaseMapping } from '#lib/datasets/case-mapping-schema.ts';
import { answeredColumn, targetOf } from '#lib/datasets/mapped-columns.ts';
import { ownTags } from '#lib/datasets/split-tags.ts';
import { isInputByLength, suggestMapping, variableName } from '#lib/datasets/suggest-mapping.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import type { ImportRow } from '#lib/formats/import-report.ts';
import type { ImportPreview } from './import-draft.ts';
import { SPLIT_LABELS } from './split-bar.tsx';

type ImportMappingProps = {
  preview: ImportPreview;
  /** Current mapping of the columns. The preview may show an earlier one. */
  mapping: CaseMapping;
  isTable: boolean;
  onChange: (mapping: CaseMapping) => void;
};

const VARIABLE = 'variable.';

/** Selects the target of each column of an import. */
export function ImportMapping({ preview, mapping, isTable, onChange }: ImportMappingProps) {
  const { columns, mappingSource } = preview;
  const targets = Object.values(mapping);
  const answered = answeredColumn(mapping);
  const suggested = () =>
    suggestMapping(
      columns.map((one) => ({ ...one, empty: false })),
      null,
      isTable,
    ).mapping;
  const change = (column: string, target: string) => onChange({ ...mapping, [column]: target });
  return (
    <section className="min-w-0 border-line border-t" data-testid="import-mapping" aria-label="Columns">
      <Pane className="border-b-0 pb-1">
        <PaneHeader title="Columns" className="m-0">
          <span className="text-ink-3 text-sm" role="status">
            {sourceLabel(preview)}
          </span>
          {mappingSource === 'suggested' ? null : (
            <Button size="small" className="ml-auto" onClick={() => onChange(suggested())}>
              Match automatically
            </Button>
          )}
        </PaneHeader>
        {targets.includes('input') ? null : (
          <InlineError className="mt-1">Choose the column that holds the input.</InlineError>
        )}
      </Pane>
      <Table scrollLabel="Columns" isInset>
        <TableHead>
          <ColumnHead>Column</ColumnHead>
          <ColumnHead>Import as</ColumnHead>
          <ColumnHead className="max-narrow:hidden">Values</ColumnHead>
        </TableHead>
        <tbody>
          {columns.map(({ name, samples }) => (
            <tr key={name}>
              <RowHead className="wrap-anywhere min-w-24 font-medium font-mono text-sm">
                {name === '' ? <span className="text-ink-3">unnamed</span> : name}
              </RowHead>
              <td>
                <Target
                  column={name}
                  target={mapping[name] ?? 'metadata'}
                  onChange={(target) => change(name, target)}
                />
              </td>
              <td className="wrap-anywhere text-ink-2 text-sm max-narrow:hidden">
                <span className="line-clamp-2">{samples.join(' · ') || '–'}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {answered === null ? null : (
        <Pane className="border-b-0 pt-1 text-ink-2 text-sm">
          An answer at the end of <code>{answered}</code> becomes the reference.
        </Pane>
      )}
      {targets.includes('choices') ? (
        <Pane className="border-b-0 pt-1 text-ink-2 text-sm">
          Choices follow the input as A, B, C. A reference that names a choice becomes its letter. Right and wrong
          answers in separate columns are shuffled first, always in the same way.
        </Pane>
      ) : null}
      {isJoined(targets) ? (
        <Pane className="border-b-0 pt-1 text-ink-2 text-sm">
          Columns with the same role are joined with a blank line between them.
        </Pane>
      ) : null}
    </section>
  );
}

function sourceLabel({ columns, mapping, mappingSource }: ImportPreview): string {
  const counted = formatNumberOf(columns.length, 'column');
  switch (mappingSource) {
    case 'own':
      return counted;
    case 'given':
      return `${counted}, mapped by you`;
    case 'remembered':
      return `${counted}, mapped as in the last import`;
    case 'suggested':
      return isInputByLength(mapping)
        ? `${counted}. No name matches an input, so the longest text that is not the reference is the input.`
        : `${counted}, matched by name`;
  }
}

function Target({ column, target, onChange }: { column: string; target: string; onChange: (target: string) => void }) {
  const isVariable = target.startsWith(VARIABLE);
  const name = isVariable ? target.slice(VARIABLE.length) : '';
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Select
        className="w-auto"
        aria-label={`Import ${column || 'the unnamed column'} as`}
        value={isVariable ? 'variable' : target}
        onValue={(chosen) => onChange(chosen === 'variable' ? `${VARIABLE}${variableName(column) || 'value'}` : chosen)}
      >
        <option value="input">Input</option>
        <option value="choices">Choices</option>
        <option value="reference">Reference</option>
        <option value="tags">Tags</option>
        <option value="variable">Variable</option>
        <option value="metadata">Metadata</option>
        {column === 'criteria' ? <option value="criteria">Criteria</option> : null}
        <option value="ignore">Ignore</option>
      </Select>
      {isVariable ? (
        <>
          <Field label={`Variable for ${column}`} hideLabel>
            <Input
              className="w-36 font-mono"
              value={name}
              maxLength={100}
              onValue={(entered) => onChange(`${VARIABLE}${entered.replaceAll(/[^\w-]+/g, '_') || 'value'}`)}
            />
          </Field>
          <code className="text-ink-3 text-sm">{`{{metadata.${name}}}`}</code>
        </>
      ) : null}
    </span>
  );
}

/** Returns the target of every column: the user's choice, or else the preview's. Unmapped columns become metadata. */
export function fullMapping(
  { columns, mapping }: Pick<ImportPreview, 'columns' | 'mapping'>,
  chosen: CaseMapping | null,
): CaseMapping {
  const known = chosen ?? mapping;
  return Object.fromEntries(columns.map(({ name }) => [name, targetOf(known, name) ?? 'metadata']));
}

function isJoined(targets: readonly string[]): boolean {
  return ['input', 'reference'].some((part) => targets.filter((target) => target === part).length > 1);
}

/** Number of lines shown before the user shows more. On narrow screens the Import button is below them. */
const FIRST_ROWS = 10;

type PreviewTableProps = { preview: Pick<ImportPreview, 'ready' | 'wrong' | 'same' | 'rows' | 'faults'> };

/** Shows the first lines of an import as they would be stored, with their errors. */
export function ImportPreviewTable({ preview: { ready, wrong, same, rows, faults } }: PreviewTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  const stored = rows.filter(({ state }) => state !== 'same');
  const shown = showsAll ? stored : stored.slice(0, FIRST_ROWS);
  const hidden = stored.length - shown.length;
  const counts = [
    `${formatCount(ready)} ready`,
    ...(wrong > 0 ? [`${formatCount(wrong)} to fix`] : []),
    ...(same > 0 ? [`${formatCount(same)} left out`] : []),
  ];
  return (
    <section className="min-w-0 border-line border-t" data-testid="would-be-stored">
      <Pane className="border-b-0 pb-1">
        <PaneHeader title="Import preview" className="m-0">
          <span className="text-ink-3 text-sm" role="status">
            {counts.join(', ')}
            {hidden > 0 || ready + wrong + same > rows.length ? ` (first ${formatCount(shown.length)} shown)` : ''}
          </span>
        </PaneHeader>
      </Pane>
      <Table scrollLabel="Import preview" isInset>
        <TableHead>
          <NumberHead>Line</NumberHead>
          <ColumnHead>Input</ColumnHead>
          <ColumnHead className="max-narrow:hidden">Reference</ColumnHead>
          <ColumnHead className="max-narrow:hidden">Tags</ColumnHead>
          <ColumnHead>Split</ColumnHead>
          <ColumnHead hideLabel>State</ColumnHead>
        </TableHead>
        <tbody>
          {shown.map((row, at) => (
            <PreviewRow
              // biome-ignore lint/suspicious/noArrayIndexKey: two entries of a JSON file can be on the same line
              key={at}
              row={row}
              fault={row.state === 'wrong' ? faults.find(({ line }) => line === row.line)?.message : undefined}
            />
          ))}
        </tbody>
      </Table>
      {hidden > 0 ? (
        <div className="px-5 py-2">
          <Button size="small" onClick={() => setShowsAll(true)}>
            Show {formatNumberOf(hidden, 'more line', 'more lines')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function PreviewRow({ row, fault }: { row: ImportRow; fault: string | undefined }) {
  const { line, state, input, reference, tags, metadata, split } = row;
  return (
    <tr>
      <NumberCell className="align-top font-mono text-ink-3 text-sm">{formatCount(line)}</NumberCell>
      <td className="wrap-anywhere">
        {state === 'wrong' ? (
          <span className="text-ink-3">{fault?.replaceAll('`', '') ?? 'cannot be read'}</span>
        ) : (
          input
        )}
        {state === 'wrong' ? null : (
          <span className="block text-ink-2 text-sm narrow:hidden">reference: {reference ?? 'none'}</span>
        )}
        {metadata.length > 0 ? (
          <span className="block font-mono text-ink-3 text-xs">metadata: {metadata.join(', ')}</span>
        ) : null}
      </td>
      <td className="wrap-anywhere text-sm max-narrow:hidden">
        {state === 'wrong' ? null : (reference ?? <span className="text-ink-3">none</span>)}
      </td>
      <td className="text-sm max-narrow:hidden">
        {ownTags({ tags }).map((tag) => (
          <Badge key={tag} tone="plain" className="mr-1">
            {tag}
          </Badge>
        ))}
      </td>
      <td className="whitespace-nowrap text-sm">{state === 'wrong' ? '–' : SPLIT_LABELS[split ?? 'undivided']}</td>
      <td className="whitespace-nowrap text-sm">
        {state === 'wrong' ? (
          <span className="text-worse">
            <X /> invalid
          </span>
        ) : (
          <span className="text-better">
            <Check /> ready
          </span>
        )}
      </td>
    </tr>
  );
}
