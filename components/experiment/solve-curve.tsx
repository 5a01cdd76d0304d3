'use client';

import { Area, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { usePlot } from '#components/run/use-plot.ts';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatPercent } from '#lib/format.ts';
import type { BatchReport } from '#lib/measures/batch-report.ts';
import { type SolvePoint, solvePoints } from './solve-points.ts';
import { formatBounds } from './success-cell.tsx';

type SolveCurveProps = { report: Pick<BatchReport, 'total' | 'solvedByIteration'>; mode: 'revise' | 'retry' | 'tune' };

/** How many cases were solved by each attempt or version, as a curve with its interval, and the same as a table. */
export function SolveCurve({ report, mode }: SolveCurveProps) {
  const points = solvePoints(report, mode);
  if (points.length === 0) return <p className="muted">Nothing is scored yet.</p>;
  const noun = mode === 'retry' ? 'attempt' : 'version';
  return (
    <>
      <figure
        className="chart-frame"
        aria-label={`Solved by ${noun}, of ${report.total} cases: ${points.map(({ label, solved }) => `${label}: ${solved}`).join(', ')}. The same stands in the table below.`}
      >
        <ResponsiveContainer width="100%" height={250} initialDimension={{ width: 416, height: 250 }}>
          <ComposedChart
            className="chart"
            data={points}
            margin={{ top: 22, right: 64, bottom: 40, left: 40 }}
            accessibilityLayer={false}
          >
            <XAxis dataKey="label" hide scale="point" padding={{ left: 14, right: 14 }} />
            <YAxis domain={[0, 1]} hide />
            <Area
              dataKey="bounds"
              stroke="none"
              fill="var(--brand)"
              fillOpacity={0.13}
              isAnimationActive={false}
              activeDot={false}
              type="linear"
            />
            <Line dataKey="share" stroke="none" dot={false} activeDot={false} isAnimationActive={false} />
            <CurveMarks points={points} noun={noun} />
            <Tooltip
              isAnimationActive={false}
              cursor={{ stroke: 'var(--line-strong)' }}
              content={<CurveTip points={points} noun={noun} total={report.total} />}
            />
          </ComposedChart>
        </ResponsiveContainer>
      </figure>
      <ScrollX label="Solved, as numbers">
        <table className="t tight sm" data-testid="solve-curve">
          <caption className="vh">
            Cases solved by each {noun}, of {report.total}
          </caption>
          <thead>
            <tr>
              <th scope="row">{noun === 'attempt' ? 'Attempt' : 'Version'}</th>
              {points.map(({ label }) => (
                <th key={label} scope="col" className="num">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Solved</th>
              {points.map(({ label, solved }) => (
                <td key={label} className="num b" data-solved={solved}>
                  {solved}
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">Share</th>
              {points.map(({ label, share }) => (
                <td key={label} className="num faint">
                  {formatPercent(share)}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </ScrollX>
    </>
  );
}

function CurveMarks({ points, noun }: { points: SolvePoint[]; noun: string }) {
  const plot = usePlot();
  if (plot === null) return null;
  const last = points.at(-1);
  const every = Math.ceil((points.length * 26) / (plot.right - plot.left));
  return (
    <g aria-hidden>
      {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
        <g key={tick}>
          <line
            className={tick === 0 ? 'axis' : 'grid'}
            x1={plot.left}
            x2={plot.right}
            y1={plot.y(tick)}
            y2={plot.y(tick)}
          />
          <text x={plot.left - 6} y={plot.y(tick) + 3.6} textAnchor="end">
            {Math.round(tick * 100)}%
          </text>
        </g>
      ))}
      <polyline
        className="ovr"
        points={points.map(({ label, share }) => `${plot.x(label)},${plot.y(share)}`).join(' ')}
      />
      {points.map(({ label, share, solved }, index) => (
        <g key={label}>
          <circle className="pt" cx={plot.x(label)} cy={plot.y(share)} r={3.2} />
          {index % every === 0 || index === points.length - 1 ? (
            <>
              <text className="tb ht" x={plot.x(label)} y={plot.y(share) - 9} textAnchor="middle">
                {solved}
              </text>
              <text x={plot.x(label)} y={plot.bottom + 15} textAnchor="middle">
                {label}
              </text>
            </>
          ) : null}
        </g>
      ))}
      <text x={(plot.left + plot.right) / 2} y={plot.bottom + 32} textAnchor="middle">
        {noun}
      </text>
      {last ? (
        <>
          <text className="brandt" x={plot.right + 4} y={plot.y(last.share) + 3.6}>
            {formatPercent(last.share)}
          </text>
          <text x={plot.right + 4} y={plot.y(last.share) + 17}>
            {formatBounds({ low: last.bounds[0], high: last.bounds[1] })}
          </text>
        </>
      ) : null}
    </g>
  );
}

type CurveTipProps = { points: SolvePoint[]; noun: string; total: number; active?: boolean; label?: string | number };

function CurveTip({ points, noun, total, active, label }: CurveTipProps) {
  const point = points.find((candidate) => candidate.label === String(label));
  if (!active || !point) return null;
  return (
    <div className="pop tip">
      <b>
        By {noun} {point.label}
      </b>
      <br />
      {point.solved} of {total} solved, {formatPercent(point.share)}{' '}
      {formatBounds({ low: point.bounds[0], high: point.bounds[1] })}
    </div>
  );
}
