import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { stopName, stopWords } from './stop-reason-labels.ts';
import type { Trajectory } from './trajectory.ts';
import { usePlot } from './use-plot.ts';

type TrajectoryEndProps = { trajectory: Trajectory; record: RunRecord; settings: ExperimentSettings };

/** The rule at the end of the chart: what ended the run and the numbers that made it so; amber while it waits. */
export function TrajectoryEnd({ trajectory, record, settings }: TrajectoryEndProps) {
  const plot = usePlot();
  const end = endOf(record, settings);
  if (plot === null || end === null) return null;
  const x = plot.right;
  const room = Math.floor((x - 13) / 5.9);
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
        y1={plot.top - 14}
        y2={plot.bottom}
      />
      <Glyph kind={end.glyph} x={x} y={plot.top - 20} />
      <text
        className={end.glyph === 'wait' ? 'fill-wait font-semibold text-sm' : 'fill-ink font-semibold text-sm'}
        x={x - 13}
        y={plot.top - 31}
        textAnchor="end"
      >
        {end.title}
      </text>
      <text className="fill-ink-2" x={x - 13} y={plot.top - 17} textAnchor="end">
        {shortened(end.detail, room)}
      </text>
    </g>
  );
}

/** At most `room` characters: without its last clause where the first says the numbers, else cut. */
function shortened(detail: string, room: number): string {
  if (detail.length <= room) return detail;
  const clause = detail.split(/[,;] /)[0] ?? '';
  return clause.length <= room && clause !== detail ? clause : `${detail.slice(0, room - 1)}…`;
}

function endOf(record: RunRecord, settings: ExperimentSettings) {
  if (record.waitingFor) {
    const reason = record.waitingFor.wouldStopAs;
    return {
      glyph: 'wait' as const,
      title: 'Paused for a person',
      detail:
        record.waitingFor.toolCall !== null
          ? `about the use of ${record.waitingFor.toolCall.tool}`
          : record.waitingFor.hook !== 'onReflection'
            ? `to look at v${record.waitingFor.version} before it is judged`
            : record.waitingFor.asks.length > 0
              ? 'for a score'
              : reason
                ? `would stop as: ${stopName(reason)}`
                : 'would go on',
      reason,
    };
  }
  if (record.convergenceReason === null) return null;
  const words = stopWords(record.convergenceReason, record, settings);
  return { glyph: words.tone, title: words.title, detail: words.detail, reason: record.convergenceReason };
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
