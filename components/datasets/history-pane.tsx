'use client';

import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { useIsHydrating } from '#components/ui/hydration.ts';
import { Link, TextLink } from '#components/ui/link.tsx';
import { LocalTime } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import type { Case } from '#lib/core/case.ts';
import type { CaseChange } from '#lib/datasets/queries.ts';
import type { DatasetVersionRow } from '#lib/datasets/schema.ts';
import { formatCount } from '#lib/format.ts';

type HistoryPaneProps = {
  path: string;
  versions: readonly DatasetVersionRow[];
  /** URL of the older versions. Null at the end. */
  older: string | null;
  chosen: number;
  changes: readonly CaseChange[];
  /** URL of more changes of this version. Null at the end. */
  more: string | null;
};

/** Shows the versions of a dataset with author, time, message and changes. */
export function HistoryPane({ path, versions, older, chosen, changes, more }: HistoryPaneProps) {
  return (
    <>
      <section aria-label="Versions">
        <Table isInset hasHover data-testid="dataset-versions">
          <TableHead>
            <ColumnHead>Version</ColumnHead>
            <ColumnHead>Change</ColumnHead>
            <NumberHead className="max-narrow:hidden">Cases</NumberHead>
            <ColumnHead className="max-narrow:hidden">By</ColumnHead>
            <ColumnHead>When</ColumnHead>
          </TableHead>
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
                <NumberCell className="max-narrow:hidden">{formatCount(of.caseCount)}</NumberCell>
                <td className="text-ink-2 text-sm max-narrow:hidden">{of.actor ?? 'unknown'}</td>
                <td className="text-ink-2 text-sm">
                  <LocalTime moment={of.createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
        {older === null ? null : (
          <Pane asChild className="border-b-0 text-sm">
            <p>
              <TextLink href={older}>Older versions</TextLink>
            </p>
          </Pane>
        )}
      </section>
      <section className="min-w-0 border-line border-t" aria-label={`Changes in version ${chosen}`}>
        <Pane className="border-b-0 pb-1">
          <PaneHeader title={`Changes in version ${chosen}`} className="m-0">
            <TextLink className="ml-auto text-sm" href={`${path}?version=${chosen}`}>
              View cases of this version
            </TextLink>
          </PaneHeader>
        </Pane>
        <CaseChanges changes={changes} />
        {more === null ? null : (
          <Pane asChild className="border-b-0 text-sm">
            <p>
              <TextLink href={more}>More changes</TextLink>
            </p>
          </Pane>
        )}
      </section>
    </>
  );
}

function countsOf({ added, changed, removed }: DatasetVersionRow): string {
  const parts: [number, string][] = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${formatCount(count)} ${label}`)
    .join(', ');
}

function CaseChanges({ changes }: { changes: readonly CaseChange[] }) {
  if (changes.length === 0) return <PaneNote className="text-sm">This version changed no cases.</PaneNote>;
  return (
    <Pane asChild className="flex flex-col gap-3 border-b-0">
      <ul data-testid="case-changes">
        {changes.map(({ number, before, after }) => (
          <li key={number} className="min-w-0">
            <p className="flex items-center gap-2 text-sm">
              <b className="font-medium">Case {number}</b>
              {before === null ? (
                <Badge tone="better">+ added</Badge>
              ) : after === null ? (
                <Badge tone="worse">− removed</Badge>
              ) : (
                <Badge>changed</Badge>
              )}
            </p>
            <ChangedField name={null} before={before?.input ?? ''} after={after?.input ?? ''} />
            {before !== null && before.input === after?.input ? (
              <ChangedField name="messages" before={messagesText(before)} after={messagesText(after)} />
            ) : null}
            {FIELDS.map(([name, read]) => (
              <ChangedField key={name} name={name} before={textOf(before, read)} after={textOf(after, read)} />
            ))}
          </li>
        ))}
      </ul>
    </Pane>
  );
}

const FIELDS: [string, (of: Case) => string][] = [
  ['reference', ({ reference }) => reference ?? ''],
  ['tags', ({ tags }) => tags.join(', ')],
  ['metadata', ({ metadata }) => (Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata))],
  ['criteria', ({ criteria }) => (criteria ? JSON.stringify(criteria) : '')],
];

/** Serializes messages completely, because roles and files can change without a change in the text. */
function messagesText({ messages }: Case): string {
  return messages ? JSON.stringify(messages, null, 2) : '';
}

function textOf(of: Case | null, read: (of: Case) => string): string {
  return of === null ? '' : read(of);
}

const MAX_WORD_DIFF_LENGTH = 20_000;

function ChangedField({ name, before, after }: { name: string | null; before: string; after: string }) {
  // Compared in the browser, because a page may contain very many changes.
  const waits = useIsHydrating();
  const isCompared = !waits && before !== '' && after !== '' && before.length + after.length <= MAX_WORD_DIFF_LENGTH;
  const parts = useMemo(
    () => (isCompared ? diffWordsWithSpace(before, after, { timeout: 200 }) : null),
    [isCompared, before, after],
  );
  if (before === after && (name !== null || before === '')) return null;
  return (
    <p className="wrap-anywhere mt-0.5 max-w-200 whitespace-pre-wrap text-sm">
      {name === null ? null : <span className="text-ink-3">{name}: </span>}
      {parts?.map((part, at) => {
        const mark = part.added ? 'ins' : part.removed ? 'del' : 'span';
        const Mark = mark;
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no ID and keep their order
        return <Mark key={at}>{part.value}</Mark>;
      }) ?? (
        <>
          {before === '' ? null : <del>{before.slice(0, MAX_WORD_DIFF_LENGTH)}</del>}
          {after === '' ? null : <ins>{after.slice(0, MAX_WORD_DIFF_LENGTH)}</ins>}
        </>
      )}
    </p>
  );
}
