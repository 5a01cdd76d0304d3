import { Check, X } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { NumberCell, NumberHead, Table } from '#components/ui/table.tsx';
import { ownTags } from '#lib/datasets/schema.ts';
import { formatCount } from '#lib/format.ts';
import type { ImportRow } from '#lib/formats/import-report.ts';
import type { ImportPreview } from './import-draft.ts';
import { SPLIT_LABELS } from './split-labels.ts';

/** Shows the first lines of an import as they would be stored, with their errors. */
export function ImportPreviewTable({ preview }: { preview: ImportPreview }) {
  const { ready, wrong, same, rows, faults } = preview;
  const shown = rows.filter(({ state }) => state !== 'same');
  const counts = [
    `${formatCount(ready)} ready`,
    ...(wrong > 0 ? [`${formatCount(wrong)} to fix`] : []),
    ...(same > 0 ? [`${formatCount(same)} left out`] : []),
  ];
  return (
    <section className="min-w-0 border-line border-t" data-testid="would-be-stored">
      <Pane className="border-b-0 pb-1">
        <PaneHeader className="m-0">
          <h2>Import preview</h2>
          <span className="text-ink-3 text-sm" role="status">
            {counts.join(', ')}
            {ready + wrong + same > rows.length ? ` (first ${formatCount(shown.length)} shown)` : ''}
          </span>
        </PaneHeader>
      </Pane>
      <ScrollX label="Import preview">
        <Table isInset>
          <thead>
            <tr>
              <NumberHead>Line</NumberHead>
              <th scope="col">Input</th>
              <th scope="col" className="max-narrow:hidden">
                Reference
              </th>
              <th scope="col" className="max-narrow:hidden">
                Tags
              </th>
              <th scope="col">Split</th>
              <th scope="col">
                <span className="sr-only">State</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <PreviewRow
                // biome-ignore lint/suspicious/noArrayIndexKey: two entries of a JSON file may stand on one line
                key={at}
                row={row}
                fault={row.state === 'wrong' ? faults.find(({ line }) => line === row.line)?.message : undefined}
              />
            ))}
          </tbody>
        </Table>
      </ScrollX>
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
