const WIDTH = 66;
const HEIGHT = 18;

/**
 * Small line chart of scores, with a gap for null. The threshold is dotted, and the last point is hollow if below it. Has no text, because
 * the numbers are shown next to it.
 */
export function Sparkline({
  scores,
  threshold = null,
}: {
  scores: readonly (number | null)[];
  threshold?: number | null;
}) {
  if (scores.length === 0) return null;
  const x = (index: number) => toHundredths(3 + (index * (WIDTH - 6)) / Math.max(scores.length - 1, 1));
  const y = (score: number) => toHundredths(HEIGHT - 3 - score * (HEIGHT - 6));
  const stretches = toStretches(scores);
  const last = scores.at(-1);
  return (
    <svg
      className="inline-block overflow-visible align-middle"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden
    >
      {threshold === null ? null : (
        <line
          className="stroke-line-input [stroke-dasharray:2_2]"
          x1={0}
          x2={WIDTH}
          y1={y(threshold)}
          y2={y(threshold)}
        />
      )}
      {stretches.map((stretch) => (
        <polyline
          key={stretch[0]?.index}
          className="fill-none stroke-[1.25] stroke-ink-2 [stroke-linejoin:round]"
          points={stretch.map(({ index, value }) => `${x(index)},${y(value)}`).join(' ')}
        />
      ))}
      {last == null ? null : (
        <circle
          className={
            threshold !== null && last < threshold - 1e-9 ? 'fill-surface stroke-[1.5] stroke-worse' : 'fill-ink'
          }
          cx={x(scores.length - 1)}
          cy={y(last)}
          r={2.2}
        />
      )}
    </svg>
  );
}

/** Rounds a coordinate to keep the page small. A list may contain a hundred of these charts. */
function toHundredths(coordinate: number): number {
  return Math.round(coordinate * 100) / 100;
}

/** Splits the values of a line at its gaps. */
export function toStretches(values: readonly (number | null)[]): { index: number; value: number }[][] {
  const stretches: { index: number; value: number }[][] = [[]];
  values.forEach((value, index) => {
    if (value === null) stretches.push([]);
    else stretches.at(-1)?.push({ index, value });
  });
  return stretches.filter((stretch) => stretch.length > 0);
}
