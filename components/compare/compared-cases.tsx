'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs';
import { Fragment, type RefObject, useEffect, useRef } from 'react';
import { readApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { ScoreChange } from '#components/ui/score-change.tsx';
import { Sparkline } from '#components/ui/sparkline.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { useShortcuts } from '#components/ui/use-shortcuts.tsx';
import { VirtualRows } from '#components/ui/virtual-rows.tsx';
import type { ComparedCase } from '#lib/compare/schema.ts';
import { formatNumberOf, formatScore } from '#lib/format.ts';
import { CaseDetail } from './case-detail.tsx';
import { armLetter, type CompareState, compareAddress } from './compare-address.ts';
import { hasTrajectories, type ListedCase, type ListedComparison } from './listed-cases.ts';

type ComparedCasesProps = {
  comparison: ListedComparison;
  state: CompareState;
  /** Details of the case in the URL, or of the first case. */
  initial: ComparedCase | null;
};

/** Lists the cases of a comparison and shows the selected one. `j` and `k` move the selection. */
export function ComparedCases({ comparison, state, initial }: ComparedCasesProps) {
  const table = useRef<HTMLTableElement>(null);
  const [{ case: named, on }, setState] = useQueryStates({ case: parseAsString, on: parseAsInteger });
  const keys = comparison.cases.map(({ caseKey }) => caseKey);
  const chosen = named ?? keys[0] ?? null;
  const index = chosen === null ? -1 : keys.indexOf(chosen);
  const last = comparison.arms.length - 1;
  const looked = on !== null && on >= 1 && on <= last ? on : (state.shown?.armIndex ?? 1);
  const near = [keys[index + 1], keys[index - 1]].filter((key) => key !== undefined);
  const answer = useComparedCase(
    comparison.arms.map(({ arm }) => arm),
    chosen,
    initial,
    near,
  );
  const choose = (key: string) => void setState({ case: key });
  const go = (step: number) => {
    const next = Math.max(0, Math.min(keys.length - 1, index + step));
    const key = keys[next];
    if (key === undefined || key === chosen) return;
    choose(key);
    table.current?.querySelector(`[data-index="${next}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts({ 'compare.next': () => go(1), 'compare.previous': () => go(-1) });
  return (
    <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_27rem] border-b-0">
      <CaseList comparison={comparison} state={state} looked={looked} chosen={chosen} onChoose={choose} table={table} />
      {answer.state === 'there' ? (
        <CaseDetail look={answer.look} looked={looked} onLook={(next) => void setState({ on: next })} />
      ) : chosen === null ? (
        <Pane asChild className="text-ink-2">
          <p>No case selected.</p>
        </Pane>
      ) : answer.state === 'coming' ? (
        <CaseLoading />
      ) : (
        <Pane className="flex flex-wrap items-center gap-2 text-ink-2">
          <p role="alert">The case could not be loaded.</p>
          <Button size="small" onClick={answer.retry}>
            Try again
          </Button>
        </Pane>
      )}
    </Columns>
  );
}

type CaseListProps = {
  comparison: ListedComparison;
  state: CompareState;
  /** Index of the selected arm, from 1. Narrow pages show only this arm. */
  looked: number;
  chosen: string | null;
  onChoose: (caseKey: string) => void;
  table: RefObject<HTMLTableElement | null>;
};

/** Lists the cases with the result of each arm and its change from the baseline. */
function CaseList(props: CaseListProps) {
  const {
    comparison: { arms, metric, cases: rows, total },
    state,
    looked,
    chosen,
    onChoose,
    table,
  } = props;
  const withCourses = hasTrajectories(arms);
  return (
    <section className="min-w-0" aria-labelledby="cases">
      <Pane className="border-b-0 pb-2">
        <PaneHeader titleId="cases" title={listTitle(state.shown)} className="mb-0">
          {state.shown === null ? null : (
            <Badge asChild tone="on">
              <Link href={compareAddress({ ...state, shown: null })} scroll={false}>
                {formatNumberOf(total, 'case')}
                <X />
                <span className="sr-only">, list all cases again</span>
              </Link>
            </Badge>
          )}
          <span className="text-ink-3 text-sm">
            {metric === 'score' ? 'best score' : 'share solved'}
            {arms.some(({ runs, cases: ran }) => runs > ran) ? ', the mean of a case’s runs' : ' of each run'}
          </span>
        </PaneHeader>
      </Pane>
      {rows.length === 0 ? (
        <PaneNote className="pt-0">No cases match.</PaneNote>
      ) : (
        <Table
          scrollLabel="Results by case"
          isInset
          hasHover
          ref={table}
          data-testid="compared-cases"
          aria-rowcount={rows.length + 1}
        >
          <TableHead>
            <ColumnHead className="max-narrow:pl-4">Case</ColumnHead>
            {arms.map((arm, index) => (
              <Fragment key={arm.arm}>
                <NumberHead className={index === 0 || index === looked ? undefined : 'max-narrow:hidden'}>
                  {armLetter(index)}
                </NumberHead>
                {index === 0 ? null : (
                  <ColumnHead
                    className={index === looked ? 'whitespace-nowrap' : 'whitespace-nowrap max-narrow:hidden'}
                  >
                    {armLetter(index)} on A
                  </ColumnHead>
                )}
                {withCourses ? (
                  <ColumnHead hideLabel className="max-narrow:hidden">
                    Scores of {armLetter(index)}
                  </ColumnHead>
                ) : null}
              </Fragment>
            ))}
          </TableHead>
          <VirtualRows
            rows={rows}
            rowHeight={33}
            keyOf={({ caseKey }) => caseKey}
            isSelected={({ caseKey }) => caseKey === chosen}
            cells={(row) => (
              <Cells
                row={row}
                metric={metric}
                looked={looked}
                withCourses={withCourses}
                isChosen={row.caseKey === chosen}
                onChoose={onChoose}
              />
            )}
          />
        </Table>
      )}
    </section>
  );
}

function listTitle(shown: CompareState['shown']): string {
  if (shown === null) return 'Cases';
  const letter = armLetter(shown.armIndex);
  switch (shown.kind) {
    case 'better':
      return `Cases where ${letter} is better`;
    case 'worse':
      return `Cases where ${letter} is worse`;
    case 'same':
      return `Cases where ${letter} is the same`;
    case 'unscored':
      return `Cases where ${letter} or A is unscored`;
    case 'unpaired':
      return `Cases that only one of A and ${letter} ran`;
  }
}

type CellsProps = {
  row: ListedCase;
  metric: ListedComparison['metric'];
  looked: number;
  withCourses: boolean;
  isChosen: boolean;
  onChoose: (caseKey: string) => void;
};

function Cells({ row: { caseKey, title, arms, by }, metric, looked, withCourses, isChosen, onChoose }: CellsProps) {
  return (
    <>
      <td className="w-[40%] min-w-36 max-w-0 max-narrow:pl-4">
        <button
          type="button"
          className="block w-full min-w-0 cursor-pointer truncate text-left font-medium"
          aria-pressed={isChosen}
          onClick={() => onChoose(caseKey)}
        >
          {title || 'An empty case'}
        </button>
      </td>
      {arms.map((arm, index) => {
        const isSeen = index === 0 || index === looked;
        const change = by[index] ?? null;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an arm is identified by its index
          <Fragment key={index}>
            <NumberCell className={isSeen ? undefined : 'max-narrow:hidden'}>
              <ArmValue arm={arm} metric={metric} isStrong={index === looked} />
            </NumberCell>
            {index === 0 ? null : (
              <td className={isSeen ? 'whitespace-nowrap' : 'whitespace-nowrap max-narrow:hidden'}>
                {change === null ? <span className="text-ink-3">–</span> : <ScoreChange by={change} />}
              </td>
            )}
            {withCourses ? (
              <td className="max-narrow:hidden">{arm === null ? null : <Sparkline scores={arm.scores} />}</td>
            ) : null}
          </Fragment>
        );
      })}
    </>
  );
}

type ArmValueProps = { arm: ListedCase['arms'][number]; metric: ListedComparison['metric']; isStrong: boolean };

function ArmValue({ arm, metric, isStrong }: ArmValueProps) {
  if (arm === null) return <span className="text-ink-3 text-sm">not run</span>;
  if (arm[metric] === null) return <span className="text-ink-3 text-sm">unscored</span>;
  const text = metric === 'score' ? formatScore(arm.score) : solvedOf(arm);
  return isStrong ? <b>{text}</b> : text;
}

function solvedOf({ judged, solved }: { judged: number; solved: number | null }): string {
  if (judged === 1) return solved === 1 ? '✓ solved' : '✕ not';
  return `${Math.round((solved ?? 0) * judged)} of ${judged}`;
}

/** Details of a case. `unavailable` if the request failed. */
type CaseQueryState = ({ state: 'there'; look: ComparedCase } | { state: 'coming' | 'unavailable' }) & {
  retry: () => void;
};

/** Time for which a loaded case is shown without a check for newer runs, in milliseconds. Covers the cases loaded ahead. */
const FRESH_MS = 5_000;

/** Loads the results of all arms for a case. `initial`: data sent with the page. `next`: cases to prefetch. */
export function useComparedCase(
  arms: readonly string[],
  caseKey: string | null,
  initial: ComparedCase | null,
  next: readonly string[],
): CaseQueryState {
  const client = useQueryClient();
  const of = arms.join(',');
  const { data, isError, refetch } = useQuery({
    queryKey: ['compared-case', of, caseKey],
    queryFn: ({ signal }) => (caseKey === null ? null : fetchCase(of, caseKey, signal)),
    initialData: initial !== null && initial.caseKey === caseKey ? initial : undefined,
    enabled: caseKey !== null,
    staleTime: FRESH_MS,
  });
  const nextKeys = next.join(',');
  useEffect(() => {
    for (const key of nextKeys === '' ? [] : nextKeys.split(','))
      void client.prefetchQuery({
        queryKey: ['compared-case', of, key],
        queryFn: ({ signal }) => fetchCase(of, key, signal),
        staleTime: FRESH_MS,
      });
  }, [client, of, nextKeys]);
  const retry = () => void refetch();
  if (data) return { state: 'there', look: data, retry };
  return { state: isError ? 'unavailable' : 'coming', retry };
}

function fetchCase(of: string, caseKey: string, signal: AbortSignal): Promise<ComparedCase> {
  return readApi('GET /api/v1/compare/cases/{key}', { params: { key: caseKey }, query: { experimentIds: of }, signal });
}

const BAR = 'block h-[0.7rem] rounded-1 bg-hover motion-safe:animate-pulse';

/** Placeholder bars in the shape of a case. Shown after 200 ms. */
function CaseLoading() {
  return (
    <Pane className="animate-appear">
      <p className="text-ink-2 text-sm" role="status">
        Loading the case
      </p>
      <div aria-hidden className="mt-3 grid grid-cols-[3rem_1fr_4rem_5rem] gap-4">
        {[0, 1, 2, 3, 4, 5].flatMap((line) => [
          <span key={`${line}-number`} className={BAR} />,
          <span key={`${line}-name`} className={BAR} style={{ width: `${52 + ((line * 17) % 40)}%` }} />,
          <span key={`${line}-score`} className={BAR} />,
          <span key={`${line}-cost`} className={BAR} />,
        ])}
      </div>
    </Pane>
  );
}
