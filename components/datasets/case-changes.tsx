'use client';

import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { useIsHydrating } from '#components/ui/use-is-hydrating.ts';
import type { Case } from '#lib/core/case.ts';
import type { ShownChange } from './history-pane.tsx';

/** Cases that a version added, changed or removed; changed words are marked. */
export function CaseChanges({ changes }: { changes: readonly ShownChange[] }) {
  if (changes.length === 0)
    return (
      <Pane asChild className="border-b-0 text-ink-2 text-sm">
        <p>It changed no case.</p>
      </Pane>
    );
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

function textOf(of: Case | null, read: (of: Case) => string): string {
  return of === null ? '' : read(of);
}

/** More than this is not compared word by word. */
const LONGEST = 20_000;

function ChangedField({ name, before, after }: { name: string | null; before: string; after: string }) {
  // The browser compares them: a page may show very many.
  const waits = useIsHydrating();
  const isCompared = !waits && before !== '' && after !== '' && before.length + after.length <= LONGEST;
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
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, in their order
        return <Mark key={at}>{part.value}</Mark>;
      }) ?? (
        <>
          {before === '' ? null : <del>{before.slice(0, LONGEST)}</del>}
          {after === '' ? null : <ins>{after.slice(0, LONGEST)}</ins>}
        </>
      )}
    </p>
  );
}
