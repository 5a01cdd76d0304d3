'use client';

import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { useIsHydrating } from '#components/ui/use-is-hydrating.ts';
import type { Case } from '#lib/reflection/case.ts';
import type { ShownChange } from './history-pane.tsx';

/** Cases that a version added, changed or removed; changed words are marked. */
export function CaseChanges({ changes }: { changes: readonly ShownChange[] }) {
  if (changes.length === 0) return <p className="pane sm muted border-b-0">It changed no case.</p>;
  return (
    <ul className="pane stack gap-3 border-b-0" data-testid="case-changes">
      {changes.map(({ number, before, after }) => (
        <li key={number} className="min-w-0">
          <p className="row sm">
            <b className="md5">Case {number}</b>
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
    <p className="sm mt-0.5 max-w-200 whitespace-pre-wrap wrap-anywhere">
      {name === null ? null : <span className="faint">{name}: </span>}
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
