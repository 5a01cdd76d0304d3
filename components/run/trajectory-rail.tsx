import { useMay } from '#components/access/role-provider.tsx';
import { isAboutNext } from '#lib/core/decision-kinds.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { decisionLabel } from './decision-labels.ts';
import type { Trajectory } from './trajectory.ts';
import { usePlot } from './use-plot.ts';

/** Under the axis: who decided after each version. A person is a filled diamond, policy a hollow circle, an open question amber. */
export function TrajectoryRail({ trajectory, record }: { trajectory: Trajectory; record: RunRecord }) {
  const plot = usePlot();
  const { may: mayDecide } = useMay('reviewer');
  if (plot === null) return null;
  const y = plot.bottom + 29;
  const isDense = (plot.right - plot.left) / trajectory.points.length < 12;
  const first = trajectory.points.at(0);
  const last = trajectory.points.at(-1);
  // What was said of a tool stands on the way to a version, not after one.
  const decisions = record.decisions.filter(({ by, toolCallId }) => by !== 'policy' && toolCallId === null);
  const lastByPerson = decisions.findLast(({ version }) => version !== null);
  return (
    <g aria-hidden>
      {first && last ? (
        <line className="stroke-line" x1={plot.x(first.label)} x2={plot.x(last.label)} y1={y} y2={y} />
      ) : null}
      {trajectory.points.map((point) => {
        const x = plot.x(point.label);
        const decision = decisions.findLast((candidate) => decidedAt(candidate) === point.version);
        const waits = record.waitingFor?.version === point.version;
        const words = waits
          ? mayDecide
            ? 'your turn'
            : 'waits'
          : decision && decision === lastByPerson
            ? `${decision.actor ?? decision.by}: ${decisionLabel(decision)}`
            : null;
        return (
          <g key={point.version}>
            {waits ? (
              <path className="fill-surface stroke-[1.5] stroke-wait-line" d={`M${x} ${y - 5} l5 5 l-5 5 l-5 -5 z`} />
            ) : decision ? (
              <path className="fill-ink" d={`M${x} ${y - 5} l5 5 l-5 5 l-5 -5 z`} />
            ) : (
              <circle className="fill-surface stroke-[1.2] stroke-ink-3" cx={x} cy={y} r={isDense ? 1 : 2.4} />
            )}
            {words ? (
              <text
                className={waits ? 'fill-wait font-semibold' : 'fill-ink-2'}
                x={x}
                y={y + 17}
                textAnchor={textAnchor(x, plot.left, plot.right)}
              >
                {words}
              </text>
            ) : null}
          </g>
        );
      })}
      <text x={plot.right + 13} y={y + 3.8}>
        decided
      </text>
    </g>
  );
}

/** The version that a decision stands under: the one it answered a pause at, where it speaks of another. */
function decidedAt({ decision, seen, version }: RunRecord['decisions'][number]): number | null {
  return isAboutNext(decision) && seen !== null ? seen.versions - 1 : version;
}

function textAnchor(x: number, left: number, right: number): 'start' | 'middle' | 'end' {
  if (x - left < 50) return 'start';
  return right - x < 30 ? 'end' : 'middle';
}
