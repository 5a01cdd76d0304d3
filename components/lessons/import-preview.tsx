import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import type { PreviewRow } from './preview-import.ts';

/** Rows that are shown; more say nothing new. */
const MOST = 50;

/** What an import holds, as far as can be seen before it is sent. */
export function ImportPreview({ rows }: { rows: readonly PreviewRow[] }) {
  return (
    <section aria-label="Preview">
      <p className="mb-1 text-ink-2 text-sm" role="status">
        {formatNumberOf(rows.length, 'lesson')}
        {rows.length > MOST ? `; the first ${formatCount(MOST)}` : ''}
      </p>
      <ScrollX label="Preview" isCapped>
        <Table isTight data-testid="import-preview">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">Kind</th>
              <th scope="col">Says</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST).map(({ where, kind, says }) => (
              <tr key={where}>
                <td className="wrap-anywhere text-sm">{where}</td>
                <td className="font-mono text-sm">{kind ?? <span className="text-ink-3">none</span>}</td>
                <td className="wrap-anywhere text-sm">{says}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </ScrollX>
    </section>
  );
}
