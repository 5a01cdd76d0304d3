import { Check, X } from 'lucide-react';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatCount } from '#lib/format.ts';
import type { ImportRow } from '#lib/reflection/datasets/import-report.ts';
import { ownTags } from '#lib/reflection/datasets/tagged-split.ts';
import { SPLIT_WORDS } from './split-words.ts';
import type { ImportPreview } from './use-import-preview.ts';

/** The first lines of an import as they would be stored, with what is in their way. */
export function ImportPreviewTable({ preview }: { preview: ImportPreview }) {
  const { ready, wrong, same, rows, faults } = preview;
  const shown = rows.filter(({ state }) => state !== 'same');
  const counts = [
    `${formatCount(ready)} ready`,
    ...(wrong > 0 ? [`${formatCount(wrong)} to mend`] : []),
    ...(same > 0 ? [`${formatCount(same)} left out`] : []),
  ];
  return (
    <section className="min-w-0 border-t border-line" data-testid="would-be-stored">
      <div className="pane border-b-0 pb-1">
        <div className="ph m-0">
          <h2>What would be stored</h2>
          <span className="note" role="status">
            {counts.join(', ')}
            {ready + wrong + same > rows.length ? `; the first ${formatCount(shown.length)} are shown` : ''}
          </span>
        </div>
      </div>
      <ScrollX label="What would be stored">
        <table className="t edge">
          <thead>
            <tr>
              <th scope="col" className="num">
                Line
              </th>
              <th scope="col">Input</th>
              <th scope="col" className="opt">
                Reference
              </th>
              <th scope="col" className="opt">
                Tags
              </th>
              <th scope="col">Split</th>
              <th scope="col">
                <span className="vh">State</span>
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
        </table>
      </ScrollX>
    </section>
  );
}

function PreviewRow({ row, fault }: { row: ImportRow; fault: string | undefined }) {
  const { line, state, input, reference, tags, metadata, split } = row;
  return (
    <tr>
      <td className="num faint mono sm align-top">{formatCount(line)}</td>
      <td className="wrap-anywhere">
        {state === 'wrong' ? <span className="faint">{fault?.replaceAll('`', '') ?? 'can’t be read'}</span> : input}
        {metadata.length > 0 ? <span className="mono faint block text-xs">metadata: {metadata.join(', ')}</span> : null}
      </td>
      <td className="sm opt wrap-anywhere">
        {state === 'wrong' ? null : (reference ?? <span className="faint">none</span>)}
      </td>
      <td className="sm opt">
        {ownTags({ tags }).map((tag) => (
          <span key={tag} className="chip plain mr-1">
            {tag}
          </span>
        ))}
      </td>
      <td className="sm nw">{state === 'wrong' ? '–' : SPLIT_WORDS[split ?? 'undivided']}</td>
      <td className="sm nw">
        {state === 'wrong' ? (
          <span className="worse">
            <X className="i s" aria-hidden /> not yet
          </span>
        ) : (
          <span className="better">
            <Check className="i s" aria-hidden /> ready
          </span>
        )}
      </td>
    </tr>
  );
}
