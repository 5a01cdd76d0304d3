'use client';

import { useRef } from 'react';
import { AxisLines, Chart } from '#components/ui/chart.tsx';
import { sourceLine } from '#components/ui/chart-picture.ts';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SharePicture } from '#components/ui/share-picture.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { useElementWidth } from '#components/ui/use-element-width.ts';
import { formatCount } from '#lib/format.ts';
import type { TrendPoint, Trends } from '#lib/insights/schema.ts';
import { Details, Headline } from './headline.tsx';
import {
  axisTop,
  MEASURE_LABELS,
  pathsWithGaps,
  TREND_MEASURES,
  type TrendMeasure,
  type TrendValue,
  trendHeadline,
  trendValues,
} from './trend-points.ts';

/** Shows success, score and cost by settings version, if the scope is one experiment, and by week. */
export function TrendsSection({
  trends,
  of,
}: {
  trends: Trends;
  /** Name of the scope, for exported charts. */
  of: string;
}) {
  return (
    <div data-testid="trends">
      {trends.versions.length === 0 ? null : <TrendRow points={trends.versions} per="version" of={of} />}
      <TrendRow points={trends.weeks} per="week" of={of} />
    </div>
  );
}

type TrendRowProps = { points: readonly TrendPoint[]; per: 'week' | 'version'; of: string };

function TrendRow({ points, per, of }: TrendRowProps) {
  return (
    <Columns className="medium:grid-cols-3">
      {TREND_MEASURES.map((measure) => (
        <TrendPane key={measure} measure={measure} points={points} per={per} of={of} />
      ))}
    </Columns>
  );
}

function TrendPane({ measure, points, per, of }: TrendRowProps & { measure: TrendMeasure }) {
  const values = trendValues(points, measure);
  const { title, format } = MEASURE_LABELS[measure];
  const name = `${title} by ${per === 'week' ? 'week' : 'settings version'}`;
  const headline = trendHeadline(points, measure, per);
  const isEmpty = values.every(({ value }) => value === null);
  return (
    <Pane className="border-b-0">
      <PaneHeader title={name}>
        {isEmpty ? null : (
          <SharePicture
            of={name}
            texts={{
              title: `${of}: ${name.toLowerCase()}`,
              notes: [headline, 'Bars are 95% intervals and n is the number of runs. Gaps have no score or price.'],
              source: sourceLine(['insights', ...(per === 'week' ? ['Weeks start on Monday (UTC)'] : [])]),
            }}
          />
        )}
      </PaneHeader>
      {/* Aligns the tops of charts side by side. */}
      <div className={isEmpty ? '' : 'medium:min-h-[4.25rem]'}>
        <Headline>{headline}</Headline>
      </div>
      {isEmpty ? null : (
        <>
          <TrendChart values={values} top={axisTop(values, measure)} format={format} label={`${name}. ${headline}`} />
          <Details>
            <TrendTable values={values} name={name} first={per === 'week' ? 'Week of' : 'Version'} format={format} />
            <p className="mt-2 max-w-[64ch] text-ink-2 text-sm">
              {per === 'week'
                ? 'n is the number of runs, under all settings versions. Targets count runs under the newest settings.'
                : 'n is the number of runs.'}
            </p>
          </Details>
        </>
      )}
    </Pane>
  );
}

type TrendTableProps = {
  values: readonly TrendValue[];
  name: string;
  first: string;
  format: (value: number) => string;
};

function TrendTable({ values, name, first, format }: TrendTableProps) {
  return (
    <Table scrollLabel={name} isCapped={values.length > 12} isTight>
      <TableHead>
        <ColumnHead>{first}</ColumnHead>
        <NumberHead>Value</NumberHead>
        <NumberHead>95%</NumberHead>
        <NumberHead>n</NumberHead>
      </TableHead>
      <tbody>
        {values.map(({ name: label, n, value, low, high }) => (
          <tr key={label}>
            <td>{label}</td>
            <NumberCell>{value === null ? '–' : format(value)}</NumberCell>
            <NumberCell>{low === null || high === null ? '–' : `${format(low)} to ${format(high)}`}</NumberCell>
            <NumberCell>{formatCount(n)}</NumberCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type TrendChartProps = {
  /** Oldest first. A null value is a gap. */
  values: readonly TrendValue[];
  /** Axis maximum. `format` labels it and the minimum, 0. */
  top: number;
  format: (value: number) => string;
  /** Accessible description of the chart. */
  label: string;
};

const HEIGHT = 150;
const TOP = 16;
const BOTTOM = 118;

/** Draws values over time as dots with 95% intervals, connected except across gaps. Shows n below each. */
function TrendChart({ values, top, format, label }: TrendChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useElementWidth(frame, 380);
  const ticks = [0, top / 2, top];
  const left = 8 + 6.4 * Math.max(...ticks.map((tick) => format(tick).length));
  const right = width - 14;
  const slot = (right - left) / Math.max(values.length, 1);
  const x = (index: number) => left + (index + 0.5) * slot;
  const y = (value: number) => BOTTOM - (Math.min(value, top) / top) * (BOTTOM - TOP);
  const every = Math.ceil(46 / slot);
  const isNamed = (index: number) => (values.length - 1 - index) % every === 0;
  return (
    <div ref={frame} className="min-w-0">
      <Chart width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
        <AxisLines ticks={ticks} left={left} right={right} y={y} labelOf={format} />
        {pathsWithGaps(values).map((part) => (
          <polyline
            key={part[0]}
            className="fill-none stroke-2 stroke-brand"
            points={part.map((index) => `${x(index)},${y(values[index]?.value ?? 0)}`).join(' ')}
          />
        ))}
        {values.map(({ name, short, n, value, low, high }, index) => (
          <g key={name}>
            {value === null ? null : (
              <>
                {low === null || high === null ? null : (
                  <line
                    className="stroke-[1.5] stroke-brand opacity-60"
                    x1={x(index)}
                    x2={x(index)}
                    y1={y(low)}
                    y2={y(high)}
                  />
                )}
                <circle className="fill-surface stroke-2 stroke-brand" cx={x(index)} cy={y(value)} r={3.2} />
              </>
            )}
            {isNamed(index) ? (
              <>
                <text x={x(index)} y={BOTTOM + 14} textAnchor="middle">
                  {short}
                </text>
                <text x={x(index)} y={BOTTOM + 27} textAnchor="middle">
                  {value === null ? '–' : n}
                </text>
              </>
            ) : null}
          </g>
        ))}
        <text x={left - 6} y={BOTTOM + 27} textAnchor="end">
          n
        </text>
      </Chart>
    </div>
  );
}
