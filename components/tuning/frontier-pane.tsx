'use client';

import dynamic from 'next/dynamic';
import { useMemo, useState } from 'react';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import type { CriterionLeaders, TuningObjectives } from '#lib/statistics/tuning-objectives.ts';
import type { TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { AXES, AXIS_FORMATS, type Axis, frontierPoints, intervalNote } from './frontier-points.ts';
import { MeanLabel } from './mean-label.tsx';

type FrontierPaneProps = {
  tuning: TuningSummary;
  objectives: TuningObjectives;
  selected: number | null;
  onSelect: (version: number) => void;
};

/**
 * Shows the Pareto front of the candidates by score and cost, time or prompt length, and the leaders by criterion. Clicking selects one.
 */
export function FrontierPane({ tuning, objectives, selected, onSelect }: FrontierPaneProps) {
  const [axis, setAxis] = useState<Axis>('costUsd');
  const points = useMemo(() => frontierPoints(tuning, objectives.candidates, axis), [tuning, objectives, axis]);
  if (objectives.candidates.length < 2) return null;
  const front = points.filter(({ isOnFront }) => isOnFront).toSorted((one, other) => one.x - other.x);
  return (
    <Pane className="max-medium:order-4" aria-label="Trade-offs" data-testid="frontier">
      <PaneHeader title="Trade-offs">
        <Segmented label="Compare score with" value={axis} onChange={setAxis} choices={AXES} />
      </PaneHeader>
      {points.length === 0 ? (
        <p className="text-ink-2">{MISSING[axis]}</p>
      ) : (
        <>
          <FrontierChart points={points} axis={axis} selected={selected} onSelect={onSelect} />
          <p className="text-ink-2 text-sm">
            {front.length} of {formatNumberOf(points.length, 'candidate')}: no other candidate scores as high for less.{' '}
            {intervalNote(points)}
          </p>
          <Table
            scrollLabel="Candidates on the Pareto front"
            isCapped={front.length > 8}
            className="mt-2 cell-first:pl-1.5"
            isTight
            hasHover
            data-testid="frontier-table"
          >
            <TableHead>
              <ColumnHead>Candidate</ColumnHead>
              <ColumnHead>{tuning.validatesOn === 'train' ? 'Training' : 'Validation'}</ColumnHead>
              <NumberHead>{AXES.find(({ value }) => value === axis)?.label}</NumberHead>
            </TableHead>
            <tbody>
              {front.map((point) => (
                <tr key={point.version} data-selected={point.version === selected || undefined}>
                  <td>
                    <Choose version={point.version} selected={selected} onSelect={onSelect} />
                  </td>
                  <td>
                    <MeanLabel mean={point.score} />
                  </td>
                  <NumberCell>{AXIS_FORMATS[axis](point.x)}</NumberCell>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
      <Leaders leaders={objectives.leaders} selected={selected} onSelect={onSelect} />
    </Pane>
  );
}

type LeadersProps = Pick<FrontierPaneProps, 'selected' | 'onSelect'> & { leaders: readonly CriterionLeaders[] };

/** Maximum number of leaders listed per criterion. */
const MAX_NAMED_LEADERS = 5;

function Leaders({ leaders, selected, onSelect }: LeadersProps) {
  if (leaders.length === 0) return null;
  return (
    <Table className="mt-3" isTight data-testid="criterion-leaders">
      <TableHead>
        <ColumnHead>Criterion</ColumnHead>
        <NumberHead>Highest mean</NumberHead>
        <ColumnHead>Led by</ColumnHead>
      </TableHead>
      <tbody>
        {leaders.map(({ criterion, mean, n, versions }) => (
          <tr key={criterion}>
            <RowHead className="wrap-anywhere">{criterion}</RowHead>
            <NumberCell>
              {formatScore(mean)} <span className="text-ink-3 text-sm">n {formatCount(n)}</span>
            </NumberCell>
            <td>
              <span className="flex flex-wrap gap-x-2">
                {versions.slice(-MAX_NAMED_LEADERS).map((version) => (
                  <Choose key={version} version={version} selected={selected} onSelect={onSelect} />
                ))}
                {versions.length > MAX_NAMED_LEADERS ? (
                  <span className="text-ink-3 text-sm">and {versions.length - MAX_NAMED_LEADERS} more</span>
                ) : null}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type ChooseProps = Pick<FrontierPaneProps, 'selected' | 'onSelect'> & { version: number };

function Choose({ version, selected, onSelect }: ChooseProps) {
  return (
    <button
      type="button"
      className="link cursor-pointer font-semibold"
      aria-pressed={version === selected}
      aria-label={`Select v${version}`}
      onClick={() => onSelect(version)}
    >
      v{version}
    </button>
  );
}

/** The chart library is loaded only when there is a chart to draw. */
const FrontierChart = dynamic(
  () => loadOrRetry(() => import('./frontier-chart.tsx').then((file) => file.FrontierChart)),
  {
    ssr: false,
    loading: () => <div className="h-64" />,
  },
);

const MISSING: Record<Axis, string> = {
  costUsd: 'No cost is known. The model has no price, or all responses were saved.',
  latencyMs: 'No time was measured. All responses were saved.',
  promptTokens: 'The texts of the prompts were not kept.',
};
