import { type ReactElement, type ReactNode, useMemo } from 'react';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { ChartFrame } from '#components/ui/chart.tsx';
import { wrapText } from '#components/ui/chart-picture.ts';
import { usePlot } from '#components/ui/plot.ts';
import { PlotChart } from '#components/ui/plot-chart.tsx';
import { affectsNextVersion } from '#lib/core/decision-kinds.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { stopName } from '#lib/core/stop-reasons.ts';
import { formatTitle } from '#lib/format.ts';
import { decisionLabel } from './decision-labels.ts';
import { stopLabels } from './stop-reason-labels.ts';
import { railAnchor, railLabelsOverlap, type Trajectory } from './trajectory.ts';

type TrajectoryChartProps = {
  trajectory: Trajectory;
  /** Accessible text alternative of the chart. */
  label: string;
  /** Description of the keyboard controls for keyboard users. */
  title: string;
  height: number;
  margin: { top: number; right: number; bottom: number };
  onSelect?: ((version: number) => void) | undefined;
  tip: ReactElement;
  children: ReactNode;
};

/** Frame of a chart of versions: axes, size, tooltip and selection. */
export function TrajectoryChart(props: TrajectoryChartProps) {
  const { trajectory, label, title, height, margin, onSelect, tip, children } = props;
  const { points, lowest } = trajectory;
  const labels = useMemo(() => points.map((point) => point.label), [points]);
  const { top, right, bottom } = margin;
  const room = useMemo(() => ({ top, right, bottom, left: 30 }), [top, right, bottom]);
  const select = (name: string) => {
    const point = points.find((candidate) => candidate.label === name);
    if (point !== undefined) onSelect?.(point.version);
  };
  return (
    <ChartFrame aria-label={label}>
      <PlotChart
        labels={labels}
        domain={[lowest, 1]}
        height={height}
        margin={room}
        initialWidth={488}
        select={onSelect && { name: title, onSelect: select }}
        tip={tip}
      >
        {children}
      </PlotChart>
    </ChartFrame>
  );
}

type TrajectoryEndProps = { trajectory: Trajectory; record: RunRecord; settings: ExperimentSettings };

/** Line at the end of the chart with the stop reason and its numbers. Amber while the run waits. */
export function TrajectoryEnd({ trajectory, record, settings }: TrajectoryEndProps) {
  const plot = usePlot();
  const end = endOf(record, settings);
  if (end === null) return null;
  const x = plot.right;
  const room = Math.floor((x - 13) / 5.9);
  const lines = detailLines(end.detail, room);
  const window =
    end.reason === 'plateau' || end.reason === 'diminishing' ? (settings.convergence?.plateauIterations ?? 2) : 0;
  const inWindow = trajectory.points.filter((point) => point.overall !== null).slice(-window);
  const first = inWindow.at(0);
  const last = inWindow.at(-1);
  return (
    <g aria-hidden>
      {window > 1 && first && last ? (
        <path
          className="fill-none stroke-ink-3"
          d={`M${plot.x(first.label)} ${plot.bottom - 11} v4 H${plot.x(last.label)} v-4`}
        />
      ) : null}
      <line
        className={
          end.glyph === 'wait' ? 'stroke-[1.5] stroke-wait-line [stroke-dasharray:3_2]' : 'stroke-[1.5] stroke-ink'
        }
        x1={x}
        x2={x}
        y1={plot.top - 18}
        y2={plot.bottom}
      />
      <Glyph kind={end.glyph} x={x} y={plot.top - 24} />
      <text
        className={end.glyph === 'wait' ? 'fill-wait font-semibold text-sm' : 'fill-ink font-semibold text-sm'}
        x={x - 13}
        y={plot.top - 21 - lines.length * LINE_HEIGHT}
        textAnchor="end"
      >
        {formatTitle(end.title, room)}
      </text>
      {lines.map((line, index) => (
        <text
          key={line}
          className="fill-ink-2"
          x={x - 13}
          y={plot.top - 21 - (lines.length - 1 - index) * LINE_HEIGHT}
          textAnchor="end"
        >
          {line}
        </text>
      ))}
    </g>
  );
}

const LINE_HEIGHT = 14;
/** Number of characters that fit on a line on a phone. */
const PHONE_ROOM = 28;

/** Returns the height in pixels above the chart for the stop reason. A long detail has two lines on a phone. */
export function endRoom(record: RunRecord, settings: ExperimentSettings): number {
  const detail = endOf(record, settings)?.detail ?? '';
  return detail.length > PHONE_ROOM ? 50 + LINE_HEIGHT : 50;
}

/** Splits the detail into at most two lines of `room` characters. */
function detailLines(detail: string, room: number): string[] {
  const [first = '', ...rest] = wrapText(detail, room, ({ length }) => length);
  return rest.length === 0 ? [first] : [first, formatTitle(rest.join(' '), room)];
}

function endOf(record: RunRecord, settings: ExperimentSettings) {
  if (record.waitingFor) {
    const { wouldStopAs: reason } = record.waitingFor;
    return { glyph: 'wait' as const, title: 'Paused for a person', detail: pauseDetail(record.waitingFor), reason };
  }
  if (record.convergenceReason === null) return null;
  const labels = stopLabels(record.convergenceReason, record, settings);
  return { glyph: labels.tone, title: labels.title, detail: labels.detail, reason: record.convergenceReason };
}

function pauseDetail({ toolCall, hook, version, asks, wouldStopAs }: NonNullable<RunRecord['waitingFor']>): string {
  if (toolCall !== null) return `before the use of ${toolCall.tool}`;
  if (hook !== 'onReflection') return `to review v${version} before it is scored`;
  if (asks.length > 0) return 'for a score';
  return wouldStopAs ? `would stop as: ${stopName(wouldStopAs)}` : 'would continue';
}

function Glyph({ kind, x, y }: { kind: 'wait' | 'stop' | 'person' | 'broke'; x: number; y: number }) {
  switch (kind) {
    case 'wait':
      return (
        <g className="fill-wait">
          <rect x={x - 4} y={y - 6} width={3} height={11} rx={1} />
          <rect x={x + 1} y={y - 6} width={3} height={11} rx={1} />
        </g>
      );
    case 'person':
      return <path className="fill-ink" d={`M${x} ${y - 6} l6 6 l-6 6 l-6 -6 z`} />;
    case 'broke':
      return <path className="fill-none stroke-2 stroke-worse" d={`M${x - 4} ${y - 4} l8 8 m0 -8 l-8 8`} />;
    case 'stop':
      return <path className="fill-ink" d={`M${x - 3} ${y - 7} h6 l4 4 v6 l-4 4 h-6 l-4 -4 v-6 z`} />;
  }
}

/** Row below the axis with the decider after each version: filled diamond for a person, hollow circle for policy, amber if pending. */
export function TrajectoryRail({ trajectory, record }: { trajectory: Trajectory; record: RunRecord }) {
  const plot = usePlot();
  const { may: mayDecide } = useRoleAccess('reviewer');
  const y = plot.bottom + 29;
  const isDense = (plot.right - plot.left) / trajectory.points.length < 12;
  const first = trajectory.points.at(0);
  const last = trajectory.points.at(-1);
  // Tool decisions are made before a version exists, so they are not shown after one.
  const decisions = record.decisions.filter(({ by, toolCallId }) => by !== 'policy' && toolCallId === null);
  const lastByPerson = decisions.findLast(({ version }) => version !== null);
  const waiting = trajectory.points.find(({ version }) => version === record.waitingFor?.version);
  const waitLabel = mayDecide ? 'your turn' : 'waits';
  // The wait matters more, and the list of decisions names the earlier one too.
  const isCovered = (text: string, x: number) =>
    waiting !== undefined && railLabelsOverlap({ text, x }, { text: waitLabel, x: plot.x(waiting.label) }, plot);
  return (
    <g aria-hidden>
      {first && last ? (
        <line className="stroke-line" x1={plot.x(first.label)} x2={plot.x(last.label)} y1={y} y2={y} />
      ) : null}
      {trajectory.points.map((point) => {
        const x = plot.x(point.label);
        const decision = decisions.findLast((candidate) => decidedAt(candidate) === point.version);
        const waits = record.waitingFor?.version === point.version;
        const decided =
          decision && decision === lastByPerson ? `${decision.actor ?? decision.by}: ${decisionLabel(decision)}` : null;
        const shown = decided === null || isCovered(decided, x) ? null : decided;
        const label = waits ? waitLabel : shown;
        const style = waits ? RAIL_STYLES.waits : RAIL_STYLES.decided;
        return (
          <g key={point.version}>
            {waits || decision ? (
              <path className={style.mark} d={`M${x} ${y - 5} l5 5 l-5 5 l-5 -5 z`} />
            ) : (
              <circle className="fill-surface stroke-[1.2] stroke-ink-3" cx={x} cy={y} r={isDense ? 1 : 2.4} />
            )}
            {label ? (
              <text className={style.label} x={x} y={y + 17} textAnchor={railAnchor(x, plot)}>
                {label}
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

const RAIL_STYLES = {
  waits: { mark: 'fill-surface stroke-[1.5] stroke-wait-line', label: 'fill-wait font-semibold' },
  decided: { mark: 'fill-ink', label: 'fill-ink-2' },
};

/** Returns the version under which a decision is shown. A decision about the next version belongs to the version of its pause. */
function decidedAt({ decision, seen, version }: RunRecord['decisions'][number]): number | null {
  return affectsNextVersion(decision) && seen !== null ? seen.versions - 1 : version;
}
