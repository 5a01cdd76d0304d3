import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import type { PreviewRow } from './preview-import.ts';

/** Rows that are shown; more say nothing new. */
const MOST = 50;

/** What an import holds, as far as can be seen before it is sent. */
export function ImportPreview({ rows }: { rows: readonly PreviewRow[] }) {
  return (
    <section aria-label="Preview">
      <p className="sm muted mb-1" role="status">
        {formatNumberOf(rows.length, 'lesson')}
        {rows.length > MOST ? `; the first ${formatCount(MOST)}` : ''}
      </p>
      <ScrollX label="Preview" className="capped">
        <table className="t tight" data-testid="import-preview">
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
                <td className="sm wrap-anywhere">{where}</td>
                <td className="mono sm">{kind ?? <span className="faint">none</span>}</td>
                <td className="sm wrap-anywhere">{says}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}
