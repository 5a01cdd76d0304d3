'use client';

import { Check, CircleSlash, TriangleAlert, X } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import type { ModelReference } from '#lib/core/settings.ts';
import { formatNumberOf, formatScore, formatTitle } from '#lib/format.ts';
import type { CaseEffect, CellState, EvaluationRow } from './evaluation-rows.ts';

type EvaluationTableProps = {
  rows: readonly EvaluationRow[];
  models: readonly ModelReference[];
  /** The name of the version that the draft is compared with. */
  before: string;
  /** Position of the selected case. */
  chosen: number | null;
  onChoose: (position: number) => void;
};

const ANSWER = 'max-w-52 wrap-break-word [&>span]:line-clamp-2';

/** Maximum number of rows rendered at once. */
const MAX_ROWS = 100;

/** Table of outputs per case, with columns for the earlier version and the draft of each model. */
export function EvaluationTable({ rows, models, before, chosen, onChoose }: EvaluationTableProps) {
  const [most, setMost] = useState(MAX_ROWS);
  const hasReference = rows.some(({ case: one }) => one.reference !== null);
  const isMany = models.length > 1;
  // With two models, five output columns fit beside the prompt at a width of 1440 pixels.
  const answer = classNames(ANSWER, isMany ? 'min-w-20' : 'min-w-24');
  if (rows.length === 0) return <p className="px-5 py-3 text-ink-2">No cases match the filter.</p>;
  return (
    <>
      <ScrollX label="Cases" className="relative">
        <Table isInset hasHover className="td:align-top">
          <caption className="sr-only">Answers by case</caption>
          <thead>
            {isMany ? (
              <tr>
                <td colSpan={hasReference ? 2 : 1} />
                {models.map(({ provider, model }) => (
                  <th key={`${provider} ${model}`} colSpan={3} scope="colgroup">
                    {model}
                  </th>
                ))}
              </tr>
            ) : null}
            <tr>
              <th scope="col">Case</th>
              {hasReference ? (
                <th scope="col" className={isMany ? undefined : 'max-narrow:hidden'}>
                  Expected
                </th>
              ) : null}
              {models.map(({ provider, model }) => (
                <Fragment key={`${provider} ${model}`}>
                  <th scope="col">{before}</th>
                  <th scope="col">Draft</th>
                  <th scope="col">
                    <span className="sr-only">Change</span>
                  </th>
                </Fragment>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map(({ case: one, pairs }) => (
              <tr key={one.position} data-selected={one.position === chosen || undefined}>
                <td className="wrap-break-word min-w-28 max-w-60">
                  <button
                    type="button"
                    className="cursor-pointer text-left hover:underline hover:underline-offset-3"
                    aria-pressed={one.position === chosen}
                    onClick={() => onChoose(one.position)}
                  >
                    {formatTitle(one.input, 90) || 'An empty case'}
                  </button>
                </td>
                {hasReference ? (
                  <td className={classNames(answer, 'text-ink-2 text-sm', !isMany && 'max-narrow:hidden')}>
                    {one.reference === null ? '–' : formatTitle(one.reference, 60)}
                  </td>
                ) : null}
                {pairs.map(({ model, before: earlier, after, effect }) => (
                  <Fragment key={`${model.provider} ${model.model}`}>
                    <td className={answer}>
                      <OutputCell cell={earlier} />
                    </td>
                    <td className={answer}>
                      <OutputCell cell={after} />
                    </td>
                    <td className="whitespace-nowrap text-sm">
                      <EffectLabel effect={effect} isShort={isMany} />
                    </td>
                  </Fragment>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </ScrollX>
      {rows.length > most ? (
        <div className="flex items-center gap-2 px-5 py-2">
          <Button size="small" onClick={() => setMost(most + MAX_ROWS)}>
            Show {formatNumberOf(Math.min(MAX_ROWS, rows.length - most), 'more case', 'more cases')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** Renders the effect of the draft on a case, or nothing if null. `isShort`: shows only the icon. */
function EffectLabel({ effect, isShort }: { effect: CaseEffect; isShort: boolean }) {
  if (effect === null || effect === 'same') return null;
  return (
    <span className={effect === 'fixed' ? 'text-better' : 'text-worse'} title={isShort ? effect : undefined}>
      {effect === 'fixed' ? '▲' : '▼'} <span className={isShort ? 'sr-only' : undefined}>{effect}</span>
    </span>
  );
}

/** Short text, because the table has two such columns per model. */
function Unevaluated() {
  return (
    <span className="text-ink-3" title="not evaluated">
      <span aria-hidden>–</span>
      <span className="sr-only">not evaluated</span>
    </span>
  );
}

/** Shows an output on one line, and if it passes. */
function OutputCell({ cell }: { cell: CellState | null }) {
  if (cell === null) return <Unevaluated />;
  switch (cell.state) {
    case 'waiting':
      return <span className="text-ink-3">waits</span>;
    case 'writing':
      return (
        <span className="text-brand after:content-['▍']" data-state="writing">
          {formatTitle(cell.text, 80)}
        </span>
      );
    case 'failed':
      return (
        <span className="text-worse">
          <TriangleAlert /> failed
        </span>
      );
    case 'made': {
      const { score, satisfactory, output } = cell.evaluation;
      const title = formatTitle(output, 80) || 'empty';
      if (score === null)
        return (
          <span className="text-ink-2">
            <CircleSlash /> <span className="sr-only">unscored: </span>
            {title}
          </span>
        );
      return (
        <span className={satisfactory ? 'text-better' : 'text-worse'}>
          {satisfactory ? <Check /> : <X />}
          <span className="sr-only">{satisfactory ? 'right: ' : 'wrong: '}</span> {title}
          {score === 0 || score === 1 ? null : (
            <b className="ml-1 whitespace-nowrap text-right">{formatScore(score)}</b>
          )}
        </span>
      );
    }
  }
}
