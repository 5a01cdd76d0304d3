import Link from 'next/link';
import { formatCount, formatMoment } from '#lib/format.ts';
import type { Case } from '#lib/reflection/case.ts';
import { CaseChanges } from './case-changes.tsx';

export type ShownVersion = {
  version: number;
  caseCount: number;
  added: number;
  changed: number;
  removed: number;
  actor: string | null;
  message: string | null;
  createdAt: string;
};
export type ShownChange = { number: number; before: Case | null; after: Case | null };

type HistoryPaneProps = {
  path: string;
  versions: readonly ShownVersion[];
  /** Leads to older versions; null at the end. */
  older: string | null;
  /** The version whose changes are shown. */
  chosen: number;
  changes: readonly ShownChange[];
  /** Leads to more of its changes; null at the end. */
  more: string | null;
};

/** Who changed a dataset, when and why, and what each change was. */
export function HistoryPane({ path, versions, older, chosen, changes, more }: HistoryPaneProps) {
  return (
    <>
      <section aria-label="Versions">
        <table className="t hover edge" data-testid="dataset-versions">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Change</th>
              <th scope="col" className="opt num">
                Cases
              </th>
              <th scope="col" className="opt">
                By
              </th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((of) => (
              <tr key={of.version} aria-selected={of.version === chosen}>
                <td className="nw">
                  <Link
                    className="md5"
                    href={`${path}?tab=history&version=${of.version}`}
                    aria-current={of.version === chosen ? 'true' : undefined}
                    scroll={false}
                  >
                    v{of.version}
                  </Link>
                </td>
                <td className="wrap-anywhere">
                  <span className="sm nw">{countsOf(of)}</span>
                  {of.message === null ? null : <span className="sm muted block">{of.message}</span>}
                </td>
                <td className="opt num">{formatCount(of.caseCount)}</td>
                <td className="opt sm muted">{of.actor ?? 'not known'}</td>
                <td className="sm muted">{formatMoment(of.createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {older === null ? null : (
          <p className="pane sm border-b-0">
            <Link className="link" href={older}>
              Older versions
            </Link>
          </p>
        )}
      </section>
      <section className="min-w-0 border-t border-line" aria-label={`What version ${chosen} changed`}>
        <div className="pane border-b-0 pb-1">
          <div className="ph m-0">
            <h2>What version {chosen} changed</h2>
            <Link className="link sm end" href={`${path}?version=${chosen}`}>
              All cases as they were then
            </Link>
          </div>
        </div>
        <CaseChanges changes={changes} />
        {more === null ? null : (
          <p className="pane sm border-b-0">
            <Link className="link" href={more}>
              More of its changes
            </Link>
          </p>
        )}
      </section>
    </>
  );
}

function countsOf({ added, changed, removed }: ShownVersion): string {
  const parts: [number, string][] = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${formatCount(count)} ${words}`)
    .join(', ');
}
