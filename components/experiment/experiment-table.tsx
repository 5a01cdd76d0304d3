'use client';

import Link from 'next/link';
import { CompareTick } from '#components/compare/compare-tick.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { useNow } from '#components/ui/use-now.ts';
import { formatAgo, formatCost, formatCount, formatMoment, formatScore } from '#lib/format.ts';
import type { ExperimentFlag } from '#lib/measures/experiment-flags.ts';
import { wilsonInterval } from '#lib/measures/wilson-interval.ts';
import type { BaseSettings } from '#lib/reflection/agents/base-settings.ts';
import type { ControlKind, ExperimentOrigin } from '#lib/reflection/experiment-origin.ts';
import { ExperimentState } from './experiment-state.tsx';
import { IntervalBar, IntervalScale } from './interval-bar.tsx';
import { OriginBadges } from './origin-badges.tsx';
import { Sparkline } from './sparkline.tsx';
import { SuccessCell } from './success-cell.tsx';

/** One experiment as the list shows it. */
export type ExperimentTableRow = {
  id: string;
  name: string;
  sample: boolean;
  origin: ExperimentOrigin;
  control: ControlKind | null;
  dataset: string | null;
  mode: string;
  base: BaseSettings['type'];
  models: string[];
  latestVersion: number;
  runCount: number;
  ended: number;
  unscored: number;
  solved: number;
  waiting: number;
  underWay: number;
  flag: ExperimentFlag['flag'] | null;
  firstScore: { mean: number; n: number } | null;
  bestScore: { mean: number; n: number } | null;
  costPerPointUsd: number | null;
  unpriced: boolean;
  lastRunAt: string | null;
  selfJudged: boolean;
  qualityThreshold: number;
  /** The mean by version; of an experiment whose runs are not summed up yet the newest run's. */
  scores: (number | null)[];
};

/** Before the names of its models; a single call goes without saying. */
const BASE_NAMES: Record<BaseSettings['type'], string> = { single: '', react: 'agent · ', supervisor: 'supervisor · ' };

/**
 * All experiments with what came of them. Drawn from the rows on both sides: a table of elements would be sent twice, as markup and as what
 * the markup is made from.
 */
export function ExperimentTable({ rows, now: serverNow }: { rows: readonly ExperimentTableRow[]; now: string }) {
  const now = useNow(serverNow, 20_000);
  return (
    <ScrollX label="Experiments">
      <table className="t hover edge" data-testid="experiments">
        <thead>
          <tr>
            <th scope="col">Experiment</th>
            <th scope="col" className="opt">
              Mode
            </th>
            <th scope="col" className="opt">
              State
            </th>
            <th scope="col" className="num opt">
              Runs
            </th>
            <th scope="col" className="opt opt2">
              Mean by version
            </th>
            <th scope="col" className="opt opt2">
              95 % interval
              <IntervalScale />
            </th>
            <th scope="col">Success</th>
            <th scope="col" className="num rp">
              <span className="opt">First → b</span>
              <span className="narrow-only" aria-hidden>
                B
              </span>
              est
            </th>
            <th scope="col" className="num opt">
              Cost per point
            </th>
            <th scope="col" className="opt">
              Last run
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const interval = wilsonInterval(row.solved, row.ended);
            return (
              <tr key={row.id}>
                <td className="wrap-anywhere">
                  {row.ended + row.unscored > 0 && row.mode !== 'tune' ? (
                    <CompareTick experimentId={row.id} name={row.name} />
                  ) : null}
                  <Link className="md5" href={`/experiments/${row.id}`}>
                    {row.name}
                  </Link>{' '}
                  <OriginBadges {...row} />
                  <br />
                  <span className="sm faint">
                    {row.dataset === null ? '' : `${row.dataset} · `}
                    settings v{row.latestVersion} · {BASE_NAMES[row.base]}
                    {row.models.join(', ')}
                    {row.selfJudged ? ' · ⚠ judged by the model that writes' : ''}
                  </span>
                  <span className="narrow-only">
                    <span className="block">
                      <ExperimentState {...row} />
                    </span>
                  </span>
                </td>
                <td className="opt sm muted">{row.mode}</td>
                <td className="opt sm">
                  <ExperimentState {...row} />
                </td>
                <td className="num opt">{formatCount(row.runCount)}</td>
                <td className="opt opt2">
                  <Sparkline scores={row.scores} threshold={row.qualityThreshold} />
                </td>
                <td className="opt opt2">{interval ? <IntervalBar interval={interval} /> : null}</td>
                <td className="nw">
                  <SuccessCell solved={row.solved} ended={row.ended} unscored={row.unscored} />
                </td>
                <td className="num nw rp">
                  {row.bestScore === null ? (
                    <span className="faint">–</span>
                  ) : (
                    <>
                      <span className="faint opt">{row.firstScore ? `${formatScore(row.firstScore.mean)} →` : ''}</span>{' '}
                      <b>{formatScore(row.bestScore.mean)}</b>
                    </>
                  )}
                </td>
                <td className="num opt sm">
                  {row.costPerPointUsd === null ? (
                    <span className="faint">–</span>
                  ) : (
                    formatCost(row.costPerPointUsd, row.unpriced)
                  )}
                </td>
                <td className="sm muted nw opt">
                  {row.lastRunAt ? (
                    <time dateTime={row.lastRunAt} title={formatMoment(row.lastRunAt)}>
                      {formatAgo(row.lastRunAt, now)}
                    </time>
                  ) : (
                    'never'
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollX>
  );
}
