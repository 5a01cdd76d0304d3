import { ScrollX } from '#components/ui/scroll-x.tsx';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import { type IssueCell, ledgerRows } from './ledger-rows.ts';

/** Issues against versions: where each was opened, stood, was resolved, came back. */
export function IssueLedger({ record, selected }: { record: RunRecord; selected: number | null }) {
  const rows = ledgerRows(record);
  if (rows.length === 0) return null;
  const open = rows.filter((row) => row.open).length;
  return (
    <section className="pane o5">
      <div className="ph">
        <h2>Issues</h2>
        <span className="note">
          {open} open of {rows.length}
        </span>
      </div>
      <ScrollX label="Issues by version">
        <table className="ledger">
          <thead>
            <tr>
              <th scope="col">Issue</th>
              {record.versions.map((version) => (
                <th key={version.number} scope="col" className={version.number === selected ? 'now' : undefined}>
                  v{version.number}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td>
                  {row.text}
                  {row.criterion ? <span className="faint"> {row.criterion}</span> : null}
                </td>
                {record.versions.map((version, column) => (
                  <td key={version.number} className={cellClass(row.cells[column], version.number === selected)}>
                    <Cell cell={row.cells[column] ?? 'none'} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      <div className="key mt-2" aria-hidden>
        {KEY.map((cell) => (
          <span key={cell}>
            <Cell cell={cell} /> {CELL_WORDS[cell]}
          </span>
        ))}
      </div>
    </section>
  );
}

function cellClass(cell: IssueCell | undefined, isSelected: boolean): string | undefined {
  if (cell === 'unscored') return 'gap';
  return isSelected ? 'now' : undefined;
}

function Cell({ cell }: { cell: IssueCell }) {
  if (cell === 'none') return null;
  if (cell === 'unscored') return <span className="vh">unscored</span>;
  return (
    <svg className="g" viewBox="0 0 14 14" role="img" aria-label={CELL_WORDS[cell]}>
      {cell === 'opened' ? <circle cx="7" cy="7" r="4.5" className="fill-worse" /> : null}
      {cell === 'open' ? <circle cx="7" cy="7" r="4" className="fill-none stroke-worse" strokeWidth={1.75} /> : null}
      {cell === 'again' ? (
        <>
          <circle cx="7" cy="7" r="4.5" className="fill-none stroke-worse" strokeWidth={1.75} />
          <circle cx="7" cy="7" r="1.9" className="fill-worse" />
        </>
      ) : null}
      {cell === 'resolved' ? (
        <path
          d="M3 7.4 6 10.2 11.2 4"
          className="fill-none stroke-better"
          strokeWidth={1.9}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ) : null}
    </svg>
  );
}

const KEY = ['opened', 'open', 'resolved', 'again'] as const;
const CELL_WORDS: Record<Exclude<IssueCell, 'none'>, string> = {
  opened: 'opened',
  open: 'still open',
  resolved: 'resolved',
  again: 'raised again',
  unscored: 'unscored',
};
