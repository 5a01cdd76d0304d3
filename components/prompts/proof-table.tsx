'use client';

import { Fragment, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatNumberOf, formatTitle } from '#lib/format.ts';
import type { ModelReference } from '#lib/reflection/settings.ts';
import { EffectWords } from './effect-words.tsx';
import type { ProofRow } from './proof-rows.ts';
import { SaidCell } from './said-cell.tsx';

type ProofTableProps = {
  rows: readonly ProofRow[];
  models: readonly ModelReference[];
  before: string | null;
  /** Position of the chosen case. */
  chosen: number | null;
  onChoose: (position: number) => void;
};

/** Rows drawn at once. */
const MOST_ROWS = 100;

/** Case by case what the earlier version and the draft answered, a pair of columns for each model. */
export function ProofTable({ rows, models, before, chosen, onChoose }: ProofTableProps) {
  const [most, setMost] = useState(MOST_ROWS);
  const hasReference = rows.some(({ case: one }) => one.reference !== null);
  const isMany = models.length > 1;
  const perModel = before === null ? 1 : 3;
  if (rows.length === 0) return <p className="px-5 py-3 muted">No case fits what is chosen.</p>;
  return (
    <>
      <ScrollX label="Cases" className="relative">
        <table className="t hover edge proof-table">
          <caption className="vh">What was answered, by case</caption>
          <thead>
            {isMany ? (
              <tr>
                <td colSpan={hasReference ? 2 : 1} />
                {models.map(({ provider, model }) => (
                  <th key={`${provider} ${model}`} colSpan={perModel} scope="colgroup">
                    {model}
                  </th>
                ))}
              </tr>
            ) : null}
            <tr>
              <th scope="col">Case</th>
              {hasReference ? (
                <th scope="col" className={isMany ? undefined : 'opt'}>
                  Right answer
                </th>
              ) : null}
              {models.map(({ provider, model }) => (
                <Fragment key={`${provider} ${model}`}>
                  {before === null ? null : <th scope="col">{before}</th>}
                  <th scope="col">Draft</th>
                  {before === null ? null : (
                    <th scope="col">
                      <span className="vh">Change</span>
                    </th>
                  )}
                </Fragment>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map(({ case: one, pairs }) => (
              <tr key={one.position} className={one.position === chosen ? 'sel' : undefined}>
                <td className="case">
                  <button
                    type="button"
                    className="pick"
                    aria-pressed={one.position === chosen}
                    onClick={() => onChoose(one.position)}
                  >
                    {formatTitle(one.input, 90) || 'An empty case'}
                  </button>
                </td>
                {hasReference ? (
                  <td className={isMany ? 'muted sm said' : 'muted sm opt said'}>
                    {one.reference === null ? '–' : formatTitle(one.reference, 60)}
                  </td>
                ) : null}
                {pairs.map(({ model, before: earlier, after, effect }) => (
                  <Fragment key={`${model.provider} ${model.model}`}>
                    {before === null ? null : (
                      <td className="said">
                        <SaidCell cell={earlier} />
                      </td>
                    )}
                    <td className="said">
                      <SaidCell cell={after} />
                    </td>
                    {before === null ? null : (
                      <td className="nw sm">
                        <EffectWords effect={effect} />
                      </td>
                    )}
                  </Fragment>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      {rows.length > most ? (
        <div className="row px-5 py-2">
          <Button size="small" onClick={() => setMost(most + MOST_ROWS)}>
            Show {formatNumberOf(Math.min(MOST_ROWS, rows.length - most), 'more case', 'more cases')}
          </Button>
        </div>
      ) : null}
    </>
  );
}
