import type { WhatIf } from '#lib/what-if/what-if.ts';
import type { Trajectory } from './trajectory.ts';
import { usePlot } from './use-plot.ts';
import type { WhatIfLabel } from './what-if-labels.ts';

/** What the chart marks of a what if: its outcome, in words, and its threshold where that was moved from the run's own. */
export type WhatIfMark = { outcome: WhatIf; words: WhatIfLabel; threshold: number | null; own: number };

/** Where the run would have ended: a line at that version, its name above, a flag at what it would have returned. */
export function TrajectoryWhatIf({ trajectory, mark }: { trajectory: Trajectory; mark: WhatIfMark }) {
  const plot = usePlot();
  if (plot === null) return null;
  const { outcome, words, threshold, own } = mark;
  const last = trajectory.points.find(({ version }) => version === outcome.last);
  const picked = trajectory.points.find(({ version }) => version === outcome.returned);
  const isKnown = outcome.end.type === 'stops' || outcome.end.type === 'waits';
  const x = last ? plot.x(last.label) : plot.left;
  const isLeft = x - plot.left < (plot.right - plot.left) / 2;
  return (
    <g aria-hidden>
      {threshold !== null && threshold >= trajectory.lowest ? (
        <>
          <line
            className="stroke-[1.5] stroke-brand [stroke-dasharray:4_3]"
            x1={plot.left}
            x2={plot.right}
            y1={plot.y(threshold)}
            y2={plot.y(threshold)}
          />
          <text
            className="halo fill-brand font-semibold"
            x={plot.left + 5}
            y={plot.y(threshold) + (threshold < own ? 13 : -5)}
          >
            what if {threshold.toFixed(2)}
          </text>
        </>
      ) : null}
      <line
        className={isKnown ? 'stroke-[1.5] stroke-brand' : 'stroke-[1.5] stroke-brand [stroke-dasharray:4_3]'}
        x1={x}
        x2={x}
        y1={plot.top - 50}
        y2={plot.bottom}
      />
      <circle className="fill-brand" cx={x} cy={plot.top - 53} r={4} />
      <text
        className="halo fill-brand font-semibold"
        x={isLeft ? x + 9 : x - 9}
        y={plot.top - 49}
        textAnchor={isLeft ? 'start' : 'end'}
      >
        What if: {words.as}, {words.ends}
      </text>
      {picked && picked.overall !== null && isKnown ? (
        <text
          className="halo fill-brand font-semibold"
          x={plot.x(picked.label) - 8}
          y={plot.y(picked.overall) - 8}
          textAnchor="end"
        >
          returned
        </text>
      ) : null}
    </g>
  );
}
