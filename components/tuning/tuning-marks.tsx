import { spreadLabels } from '#components/run/spread-labels.ts';
import type { Trajectory } from '#components/run/trajectory.ts';
import { type Plot, usePlot } from '#components/run/use-plot.ts';
import { SERIES } from '#components/ui/chart.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { formatScore } from '#lib/format.ts';
import type { TunedVersion, TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { isRejected } from './tuning-trajectory.ts';

type TuningMarksProps = { tuning: TuningSummary; trajectory: Trajectory };
type Point = { x: number; y: number; value: number };

/**
 * What a tuning run's chart has beside its main line: intervals, the curves of training and held-out cases, marks of proposals that were
 * not taken, and the names of the lines at their ends.
 */
export function TuningMarks({ tuning, trajectory }: TuningMarksProps) {
  const plot = usePlot();
  if (plot === null) return null;
  const candidates = tuning.versions.filter((version) => !isRejected(version));
  const at = (of: (version: TunedVersion) => number | undefined): Point[] =>
    candidates.flatMap((version) => {
      const value = of(version);
      return value === undefined ? [] : [{ x: plot.x(`v${version.number}`), y: plot.y(value), value }];
    });
  const curves = [
    // Where the training cases choose, they are the main line.
    {
      name: 'Training',
      series: 1,
      points: tuning.validatesOn === 'train' ? [] : at(({ train }) => train?.mean),
    },
    { name: 'Held out', series: 2, points: at(({ heldOut }) => heldOut?.mean) },
  ];
  return (
    <g aria-hidden>
      {candidates.map((version) => (
        <Whisker key={version.number} plot={plot} version={version} />
      ))}
      {curves.map(({ name, series, points }) => (
        <Curve key={name} series={series} points={points} />
      ))}
      {tuning.versions.filter(isRejected).map((version) => (
        <NotTaken key={version.number} plot={plot} version={version} />
      ))}
      <EndLabels plot={plot} tuning={tuning} trajectory={trajectory} curves={curves} />
    </g>
  );
}

function Whisker({ plot, version }: { plot: Plot; version: TunedVersion }) {
  const mean = version.chosenBy;
  if (mean === null || mean.low === null || mean.high === null) return null;
  const x = plot.x(`v${version.number}`);
  return (
    <path
      className="stroke-brand opacity-55"
      d={`M${x - 4} ${plot.y(mean.high)} h8 m-4 0 V${plot.y(mean.low)} m-4 0 h8`}
      fill="none"
    />
  );
}

function Curve({ series, points }: { series: number; points: Point[] }) {
  return (
    <>
      {points.slice(1).map((point, index) => {
        const before = points[index];
        return before === undefined ? null : (
          <line
            key={point.x}
            className={classNames('stroke-[1.25]', SERIES[series - 1]?.stroke)}
            x1={before.x}
            y1={before.y}
            x2={point.x}
            y2={point.y}
          />
        );
      })}
      {points.map(({ x, y }) => (
        <rect key={x} className={SERIES[series - 1]?.fill} x={x - 2.5} y={y - 2.5} width={5} height={5} />
      ))}
    </>
  );
}

/** A proposal that never became a candidate: a cross where it was rejected, a bar where a guard held it back, a ring where it waits. */
function NotTaken({ plot, version }: { plot: Plot; version: TunedVersion }) {
  const x = plot.x(`v${version.number}`);
  const y = plot.bottom - 12;
  switch (version.state) {
    case 'rejected':
      return <path className="fill-none stroke-[1.5] stroke-ink-3" d={`M${x - 4} ${y - 4} l8 8 m0 -8 l-8 8`} />;
    case 'held_back':
      return (
        <path
          className="fill-none stroke-[1.5] stroke-ink-3"
          d={`M${x - 5} ${y} h10 m-5 -5 m-5 5 a5 5 0 1 0 10 0 a5 5 0 1 0 -10 0`}
        />
      );
    default:
      return <circle className="fill-none stroke-[1.5] stroke-ink-3" cx={x} cy={y} r={4} />;
  }
}

type Curves = { name: string; series: number; points: Point[] }[];

function EndLabels({ plot, tuning, trajectory, curves }: TuningMarksProps & { plot: Plot; curves: Curves }) {
  const last = trajectory.points.findLast(({ overall }) => overall !== null);
  const main = tuning.validatesOn === 'train' ? 'Training' : 'Validation';
  const labels = [
    ...(last === undefined || last.overall === null
      ? []
      : [{ name: main, score: last.overall, at: plot.y(last.overall), className: 'fill-brand font-semibold' }]),
    ...curves.flatMap(({ name, series, points }) => {
      const end = points.at(-1);
      return end === undefined
        ? []
        : [{ name, score: end.value, at: end.y, className: classNames('font-medium', SERIES[series - 1]?.fill) }];
    }),
  ];
  return spreadLabels(labels, 14, plot.top, plot.bottom).map((label) => (
    <text key={label.name} className={label.className} x={plot.right + 13} y={label.y + 3.8}>
      {label.name} <tspan className="font-semibold">{formatScore(label.score)}</tspan>
    </text>
  ));
}
