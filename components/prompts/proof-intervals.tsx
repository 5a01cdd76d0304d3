import { Chart } from '#components/ui/chart.tsx';
import { formatScore } from '#lib/format.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';

type ProofIntervalsProps = { before: { name: string; scores: MeanInterval } | null; after: MeanInterval };

/** Mean scores of an earlier version and the draft, each with its 95 % interval. */
export function ProofIntervals({ before, after }: ProofIntervalsProps) {
  const lines = [
    ...(before === null ? [] : [{ name: before.name, scores: before.scores, isMine: false }]),
    { name: 'draft', scores: after, isMine: true },
  ];
  const lowest = Math.min(...lines.map(({ scores }) => scores.low ?? scores.mean));
  const from = lowest >= 0.5 ? 0.5 : 0;
  const x = (score: number) => LEFT + ((score - from) / (1 - from)) * (RIGHT - LEFT);
  const height = lines.length * 26 + 32;
  const label = lines.map(({ name, scores }) => `${name} ${wordsOf(scores)}`).join('; ');
  return (
    <Chart
      width={250}
      height={height}
      viewBox={`0 0 250 ${height}`}
      role="img"
      aria-label={`${label} on ${after.n} cases`}
    >
      {[from, (1 + from) / 2, 1].map((score) => (
        <g key={score}>
          <line className="stroke-line" x1={x(score)} x2={x(score)} y1={6} y2={height - 22} />
          <text x={x(score)} y={height - 6} textAnchor="middle">
            {score.toFixed(2)}
          </text>
        </g>
      ))}
      {lines.map(({ name, scores, isMine }, place) => {
        const y = 20 + place * 26;
        return (
          <g key={name}>
            <text className={isMine ? 'fill-brand font-semibold' : 'fill-ink-2'} x={0} y={y + 4}>
              {name} {formatScore(scores.mean)}
            </text>
            {scores.low === null || scores.high === null ? null : (
              <line
                className={isMine ? 'stroke-brand' : 'stroke-ink-2'}
                strokeWidth={2}
                x1={x(scores.low)}
                x2={x(scores.high)}
                y1={y}
                y2={y}
              />
            )}
            <circle className={isMine ? 'fill-brand' : 'fill-ink-2'} cx={x(scores.mean)} cy={y} r={4} />
          </g>
        );
      })}
    </Chart>
  );
}

const LEFT = 76;
const RIGHT = 236;

function wordsOf({ mean, low, high }: MeanInterval): string {
  const score = formatScore(mean);
  return low === null || high === null ? score : `${score} with interval ${formatScore(low)} to ${formatScore(high)}`;
}
