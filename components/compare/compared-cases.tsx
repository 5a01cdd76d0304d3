'use client';

import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs';
import { useRef } from 'react';
import { Columns } from '#components/ui/columns.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import type { ComparedCase } from '#lib/compare/schema.ts';
import { CaseList } from './case-list.tsx';
import { CaseLook } from './case-look.tsx';
import type { CompareState } from './compare-address.ts';
import type { ListedComparison } from './listed-cases.ts';
import { useComparedCase } from './use-compared-case.ts';

type ComparedCasesProps = {
  comparison: ListedComparison;
  state: CompareState;
  /** Of the case that the address names, else of the first. */
  initial: ComparedCase | null;
};

/** The cases of a comparison, and the one that is looked into: `j` and `k` go from one to the next. */
export function ComparedCases({ comparison, state, initial }: ComparedCasesProps) {
  const table = useRef<HTMLTableElement>(null);
  const [{ case: named, on }, setState] = useQueryStates({ case: parseAsString, on: parseAsInteger });
  const keys = comparison.cases.map(({ caseKey }) => caseKey);
  const chosen = named ?? keys[0] ?? null;
  const place = chosen === null ? -1 : keys.indexOf(chosen);
  const last = comparison.arms.length - 1;
  const looked = on !== null && on >= 1 && on <= last ? on : (state.shown?.place ?? 1);
  const near = [keys[place + 1], keys[place - 1]].filter((key) => key !== undefined);
  const answer = useComparedCase(
    comparison.arms.map(({ arm }) => arm),
    chosen,
    initial,
    near,
  );
  const choose = (key: string) => void setState({ case: key });
  const go = (step: number) => {
    const next = Math.max(0, Math.min(keys.length - 1, place + step));
    const key = keys[next];
    if (key === undefined || key === chosen) return;
    choose(key);
    table.current?.querySelector(`[data-index="${next}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useBareKeys({ j: () => go(1), k: () => go(-1) });
  return (
    <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_27rem] border-b-0">
      <CaseList comparison={comparison} state={state} looked={looked} chosen={chosen} onChoose={choose} table={table} />
      {answer.state === 'there' ? (
        <CaseLook look={answer.look} looked={looked} onLook={(next) => void setState({ on: next })} />
      ) : chosen === null ? (
        <Pane asChild className="text-ink-2">
          <p>No case is chosen.</p>
        </Pane>
      ) : answer.state === 'coming' ? (
        <Skeleton label="Reading the case" />
      ) : (
        <Pane asChild className="text-ink-2">
          <p role="alert">The case could not be read. Choose it again in a moment.</p>
        </Pane>
      )}
    </Columns>
  );
}
