import { formatPercent } from '#lib/format.ts';
import type { VersionSuccess } from '#lib/home/schema.ts';

const WIDTH = 132;
const HEIGHT = 36;
const PAD = 5;

/**
 * Draws the success rate of each settings version with its 95% interval. The accessible label contains the same numbers as the adjacent
 * text.
 */
export function TrendChart({ versions }: { versions: readonly VersionSuccess[] }) {
  const points = versions.flatMap(({ version, solved: { of, interval } }, index) =>
    interval === null ? [] : [{ version, of, interval, x: positionOf(index, versions.length) }],
  );
  if (points.length === 0) return null;
  const label = points
    .map(
      ({ version, of, interval: { share, low, high } }) =>
        `v${version} ${formatPercent(share)} (${formatPercent(low)} to ${formatPercent(high)}, n = ${of})`,
    )
    .join('; ');
  return (
    <svg
      className="block max-w-full"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Success by version with 95% intervals: ${label}`}
    >
      <line className="stroke-line" x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} />
      <line className="stroke-line" x1={0} x2={WIDTH} y1={y(1)} y2={y(1)} />
      <polyline
        className="fill-none stroke-2 stroke-brand"
        points={points.map(({ x, interval }) => `${x},${y(interval.share)}`).join(' ')}
      />
      {points.map(({ version, x, interval: { share, low, high } }) => (
        <g key={version}>
          <line className="stroke-[1.25] stroke-ink-3" x1={x} x2={x} y1={y(low)} y2={y(high)} />
          <circle className="fill-surface stroke-[1.75] stroke-brand" cx={x} cy={y(share)} r={2.5} />
        </g>
      ))}
    </svg>
  );
}

function positionOf(index: number, count: number): number {
  return count === 1 ? WIDTH / 2 : PAD + (index * (WIDTH - 2 * PAD)) / (count - 1);
}

function y(share: number): number {
  return HEIGHT - PAD - share * (HEIGHT - 2 * PAD);
}
