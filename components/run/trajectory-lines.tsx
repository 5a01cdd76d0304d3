import { useId } from 'react';
import { SERIES } from '#components/ui/chart.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { type PlacedLabel, type Plot, spreadLabels, usePlot } from '#components/ui/plot.ts';
import { scoreTicks } from '#components/ui/score-axis.ts';
import { formatScore } from '#lib/format.ts';
import { namedCriteria, type Trajectory, type TrajectoryPoint } from './trajectory.ts';

type TrajectoryLinesProps = {
  trajectory: Trajectory;
  threshold: number;
  selected: number | null;
  best: number | null;
  showValues: boolean;
  /** True if the lines have labels at their ends. */
  hasEndLabels?: boolean;
};

/** Draws axes, threshold, gaps, lines from parent to child, dots and line labels. */
export function TrajectoryLines(props: TrajectoryLinesProps) {
  const { trajectory, threshold, selected, best, showValues, hasEndLabels = true } = props;
  const plot = usePlot();
  const hatch = useId();
  const { points, segments, criteria } = trajectory;
  return (
    <g aria-hidden>
      <Axes plot={plot} trajectory={trajectory} threshold={threshold} selected={selected} />
      <defs>
        <pattern id={hatch} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line className="stroke-ink-3 opacity-50" x1={0} y1={0} x2={0} y2={5} />
        </pattern>
      </defs>
      {points
        .filter((point) => point.state === 'unscored')
        .map((point) => (
          <Gap key={point.version} plot={plot} point={point} hatch={hatch} />
        ))}
      {criteria.map((name, index) =>
        segments.map(({ from, to, left }) => {
          const start = points[from];
          const end = points[to];
          const startScore = start?.criteria[name];
          const endScore = end?.criteria[name];
          if (left || !start || !end || startScore == null || endScore == null) return null;
          const at = { x1: plot.x(start.label), y1: plot.y(startScore), x2: plot.x(end.label), y2: plot.y(endScore) };
          return (
            <line
              key={`${name}-${end.version}`}
              className={classNames('stroke-[1.25]', SERIES[index % 5]?.stroke)}
              {...at}
            />
          );
        }),
      )}
      {segments.map(({ from, to, left }) => {
        const start = points[from];
        const end = points[to];
        if (!start || !end || start.overall === null || end.overall === null) return null;
        const at = {
          x1: plot.x(start.label),
          y1: plot.y(start.overall),
          x2: plot.x(end.label),
          y2: plot.y(end.overall),
        };
        return (
          <line
            key={end.version}
            className={
              left
                ? isDense(plot, points.length)
                  ? 'fill-none stroke-ink-3 opacity-38 [stroke-dasharray:2_3] [stroke-opacity:0.35]'
                  : 'fill-none stroke-[1.5] stroke-ink-3 [stroke-dasharray:2_3]'
                : 'fill-none stroke-[2.5] stroke-brand [stroke-linecap:round] [stroke-linejoin:round]'
            }
            {...at}
          />
        );
      })}
      {threshold >= trajectory.lowest ? <ThresholdLabel plot={plot} threshold={threshold} /> : null}
      {points.map((point) => (
        <Dot
          key={point.version}
          plot={plot}
          point={point}
          selected={point.version === selected}
          isSmall={isDense(plot, points.length)}
          showValue={showValues && point !== points.at(-1)}
        />
      ))}
      <BestFlag plot={plot} point={points.find((point) => point.version === best)} />
      {hasEndLabels ? <EndLabels plot={plot} trajectory={trajectory} /> : null}
    </g>
  );
}

/** Label of the threshold line, drawn above the score lines to stay legible. */
function ThresholdLabel({ plot, threshold }: { plot: Plot; threshold: number }) {
  const y = plot.y(threshold);
  return (
    <text className="halo fill-ink-2" x={plot.left + 5} y={y + (y - plot.top < 16 ? 13 : -5)}>
      threshold
    </text>
  );
}

type AxesProps = Pick<TrajectoryLinesProps, 'trajectory' | 'threshold' | 'selected'> & { plot: Plot };

function Axes({ plot, trajectory, threshold, selected }: AxesProps) {
  const thresholdY = plot.y(threshold);
  const shown = threshold >= trajectory.lowest;
  const longest = Math.max(0, ...trajectory.points.map(({ label }) => label.length));
  const every = Math.ceil((trajectory.points.length * Math.max(28, longest * 6.5 + 10)) / (plot.right - plot.left));
  const chosen = trajectory.points.findIndex(({ version }) => version === selected);
  // The label of the chosen version is always shown, so nearby labels are hidden.
  const isNextToChosen = (index: number) => chosen >= 0 && Math.abs(index - chosen) < every;
  return (
    <>
      {shown ? (
        <rect
          className="fill-better-bg opacity-55"
          x={plot.left}
          y={plot.top}
          width={plot.right - plot.left}
          height={thresholdY - plot.top}
        />
      ) : null}
      {scoreTicks(trajectory.lowest).map((tick) => {
        const y = plot.y(tick);
        const nearThreshold = shown && Math.abs(y - thresholdY) < 12;
        return (
          <g key={tick}>
            <line className="stroke-line" x1={plot.left} x2={plot.right} y1={y} y2={y} />
            {nearThreshold ? null : (
              <text x={plot.left - 6} y={y + 3.6} textAnchor="end">
                {tick.toFixed(1)}
              </text>
            )}
          </g>
        );
      })}
      {shown ? (
        <>
          <line
            className="stroke-ink-2 [stroke-dasharray:4_3]"
            x1={plot.left}
            x2={plot.right}
            y1={thresholdY}
            y2={thresholdY}
          />
          <text className="fill-ink font-semibold" x={plot.left - 6} y={thresholdY + 3.6} textAnchor="end">
            {Number.isInteger(Math.round(threshold * 1000) / 100) ? threshold.toFixed(1) : threshold.toFixed(2)}
          </text>
        </>
      ) : null}
      <line className="stroke-line-strong" x1={plot.left} x2={plot.right} y1={plot.bottom} y2={plot.bottom} />
      {trajectory.points.map((point, index) =>
        point.version === selected || (index % every === 0 && !isNextToChosen(index)) ? (
          <text
            key={point.version}
            className={point.version === selected ? 'fill-ink font-semibold' : ''}
            x={plot.x(point.label)}
            y={plot.bottom + 15}
            textAnchor="middle"
          >
            {point.label}
          </text>
        ) : null,
      )}
    </>
  );
}

function Gap({ plot, point, hatch }: { plot: Plot; point: TrajectoryPoint; hatch: string }) {
  const x = plot.x(point.label);
  return (
    <>
      <rect x={x - 13} y={plot.top} width={26} height={plot.bottom - plot.top} fill={`url(#${hatch})`} opacity={0.8} />
      <rect className="fill-surface" x={x - 7} y={plot.bottom - 62} width={14} height={54} rx={2} />
      <text className="fill-ink-2" transform={`translate(${x + 3.8} ${plot.bottom - 12}) rotate(-90)`}>
        unscored
      </text>
    </>
  );
}

/** True if the dots are so close that hollow ones would overlap. */
function isDense(plot: Plot, count: number): boolean {
  return (plot.right - plot.left) / count < 12;
}

type DotProps = { plot: Plot; point: TrajectoryPoint; selected: boolean; isSmall: boolean; showValue: boolean };

function Dot({ plot, point, selected, isSmall, showValue }: DotProps) {
  if (point.overall === null) return null;
  const x = plot.x(point.label);
  const y = plot.y(point.overall);
  const kind = classNames(
    'fill-surface stroke-brand stroke-2',
    selected ? 'fill-brand' : isSmall ? (point.left ? 'fill-ink-3' : 'fill-brand') : '',
    point.left ? 'stroke-ink-3 stroke-[1.5]' : '',
    isSmall && !selected ? 'stroke-1' : '',
  );
  return (
    <>
      {selected ? <circle className="fill-brand opacity-16" cx={x} cy={y} r={9} /> : null}
      {point.byPerson ? (
        <path className={kind} d={`M${x} ${y - 5} l5 5 l-5 5 l-5 -5 z`} />
      ) : (
        <circle className={kind} cx={x} cy={y} r={selected ? 4.2 : isSmall ? 1.6 : 3.4} />
      )}
      {showValue ? (
        <text className="halo fill-ink-2" x={x + 9} y={y + 15}>
          {formatScore(point.overall)}
        </text>
      ) : null}
    </>
  );
}

/** Flag at the best version, above the area, where no line can pass. */
function BestFlag({ plot, point }: { plot: Plot; point: TrajectoryPoint | undefined }) {
  if (!point || point.overall === null) return null;
  const x = plot.x(point.label);
  const top = plot.top - 17;
  const side = x - plot.left > 40 ? -1 : 1;
  return (
    <>
      <path
        className="fill-none stroke-ink-3 [stroke-dasharray:1_2]"
        d={`M${x} ${plot.y(point.overall) - 6} V${top + 13}`}
      />
      <path className="fill-ink" d={`M${x} ${top} h${30 * side} l${-4 * side} 6.5 l${4 * side} 6.5 h${-30 * side} z`} />
      <text className="fill-surface font-semibold text-[10.5px]" x={x + 13.5 * side} y={top + 10} textAnchor="middle">
        best
      </text>
    </>
  );
}

/** Minimum distance between labels at the line ends. */
const LABEL_GAP = 14;

type EndLabel = { name: string; score: number; at: number; className: string; stroke: string };

function EndLabels({ plot, trajectory }: { plot: Plot; trajectory: Trajectory }) {
  const last = trajectory.points.findLast((point) => point.overall !== null);
  if (!last || last.overall === null) return null;
  const labels: EndLabel[] = [
    {
      name: 'Overall',
      score: last.overall,
      at: plot.y(last.overall),
      className: 'fill-brand font-semibold',
      stroke: 'var(--brand)',
    },
  ];
  const room = Math.floor((plot.bottom - plot.top) / LABEL_GAP);
  const { named, unnamed } = namedCriteria(trajectory.criteria, last.criteria, room);
  for (const { name, index, score } of named)
    labels.push({
      name,
      score,
      at: plot.y(score),
      className: classNames('font-medium', SERIES[index % 5]?.fill),
      stroke: `var(--s${(index % 5) + 1})`,
    });
  const isAtEnd = last === trajectory.points.at(-1);
  return (
    <>
      {spreadLabels(labels, LABEL_GAP, plot.top, plot.bottom).map((label: PlacedLabel<EndLabel>) => (
        <g key={label.name}>
          {isAtEnd ? (
            <path
              fill="none"
              stroke={label.stroke}
              d={`M${plot.right + 3} ${label.at} L${plot.right + 10} ${label.y}`}
            />
          ) : null}
          <text className={label.className} x={plot.right + 13} y={label.y + 3.8}>
            {label.name.length > 14 ? `${label.name.slice(0, 13)}…` : label.name}{' '}
            <tspan className="font-semibold">{formatScore(label.score)}</tspan>
          </text>
        </g>
      ))}
      {unnamed > 0 ? (
        <text x={plot.right + 13} y={plot.bottom + 15}>
          {unnamed} more
        </text>
      ) : null}
    </>
  );
}
