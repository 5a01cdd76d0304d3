import Link from 'next/link';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Table } from '#components/ui/table.tsx';
import type { Case } from '#lib/core/case.ts';
import { formatCount, formatMoment } from '#lib/format.ts';
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
        <Table isInset hasHover data-testid="dataset-versions">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Change</th>
              <th scope="col" className="whitespace-nowrap text-right max-narrow:hidden">
                Cases
              </th>
              <th scope="col" className="max-narrow:hidden">
                By
              </th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((of) => (
              <tr key={of.version} aria-selected={of.version === chosen}>
                <td className="whitespace-nowrap">
                  <Link
                    className="font-medium"
                    href={`${path}?tab=history&version=${of.version}`}
                    aria-current={of.version === chosen ? 'true' : undefined}
                    scroll={false}
                  >
                    v{of.version}
                  </Link>
                </td>
                <td className="wrap-anywhere">
                  <span className="whitespace-nowrap text-sm">{countsOf(of)}</span>
                  {of.message === null ? null : <span className="block text-ink-2 text-sm">{of.message}</span>}
                </td>
                <td className="whitespace-nowrap text-right max-narrow:hidden">{formatCount(of.caseCount)}</td>
                <td className="text-ink-2 text-sm max-narrow:hidden">{of.actor ?? 'not known'}</td>
                <td className="text-ink-2 text-sm">{formatMoment(of.createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
        {older === null ? null : (
          <Pane asChild className="border-b-0 text-sm">
            <p>
              <Link className="link" href={older}>
                Older versions
              </Link>
            </p>
          </Pane>
        )}
      </section>
      <section className="min-w-0 border-line border-t" aria-label={`What version ${chosen} changed`}>
        <Pane className="border-b-0 pb-1">
          <PaneHeader className="m-0">
            <h2>What version {chosen} changed</h2>
            <Link className="link ml-auto text-sm" href={`${path}?version=${chosen}`}>
              All cases as they were then
            </Link>
          </PaneHeader>
        </Pane>
        <CaseChanges changes={changes} />
        {more === null ? null : (
          <Pane asChild className="border-b-0 text-sm">
            <p>
              <Link className="link" href={more}>
                More of its changes
              </Link>
            </p>
          </Pane>
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
