'use client';

import { useMemo } from 'react';
import { Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { CHART, ChartFrame } from '#components/ui/chart.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatScore } from '#lib/format.ts';
import { SelectByChart } from './select-by-chart.tsx';
import { stopMeaning, stopTitle } from './stop-reason-labels.ts';
import { type Trajectory, toTrajectory } from './trajectory.ts';
import { TrajectoryEnd } from './trajectory-end.tsx';
import { TrajectoryLines } from './trajectory-lines.tsx';
import { TrajectoryRail } from './trajectory-rail.tsx';
import { TrajectoryTip } from './trajectory-tip.tsx';
import { TrajectoryWhatIf, type WhatIfMark } from './trajectory-what-if.tsx';

type ScoreTrajectoryProps = {
  record: RunRecord;
  settings: ExperimentSettings;
  selected: number | null;
  onSelect?: (version: number) => void;
  /** Writes each score beside its dot; for charts without a list of versions under them. */
  showValues?: boolean;
  height?: number;
  /** Where the run would have ended by other settings. */
  whatIf?: WhatIfMark | null;
};

/** Scores by version: overall, criteria, threshold, best, what was left, what could not be scored, and why it ended. */
export function ScoreTrajectory({
  record,
  settings,
  selected,
  onSelect,
  showValues = false,
  height = 312,
  whatIf = null,
}: ScoreTrajectoryProps) {
  const trajectory = useMemo(
    () =>
      toTrajectory(
        record,
        settings.criteria.map(({ name }) => name),
      ),
    [record, settings],
  );
  const whatIfRoom = whatIf === null ? 0 : 22;
  const hasRail = record.decisions.length > 0 || record.waitingFor !== null;
  return (
    <ChartFrame
      aria-label={`${summary(trajectory, record, settings)}${whatIf ? ` What if: ${whatIf.words.sentence}` : ''}`}
    >
      <ResponsiveContainer
        width="100%"
        height={height + whatIfRoom}
        initialDimension={{ width: 488, height: height + whatIfRoom }}
      >
        <LineChart
          className={CHART}
          data={trajectory.points}
          margin={{ top: 46 + whatIfRoom, right: labelRoom(trajectory), bottom: hasRail ? 58 : 26, left: 30 }}
          accessibilityLayer={onSelect !== undefined}
          title="Score by version. Arrow keys show the scores of each version, Enter selects it."
        >
          <XAxis dataKey="label" hide padding={{ left: 14, right: 14 }} scale="point" />
          <YAxis domain={[trajectory.lowest, 1]} hide allowDataOverflow />
          <Line dataKey="overall" stroke="none" dot={false} activeDot={false} isAnimationActive={false} />
          <TrajectoryLines
            trajectory={trajectory}
            threshold={settings.qualityThreshold}
            selected={selected}
            best={record.bestVersion}
            showValues={showValues}
          />
          <TrajectoryEnd trajectory={trajectory} record={record} settings={settings} />
          {hasRail ? <TrajectoryRail trajectory={trajectory} record={record} /> : null}
          {whatIf ? <TrajectoryWhatIf trajectory={trajectory} mark={whatIf} /> : null}
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: 'var(--line-strong)', strokeWidth: 1 }}
            content={<TrajectoryTip trajectory={trajectory} record={record} settings={settings} />}
          />
          {onSelect ? <SelectByChart trajectory={trajectory} onSelect={onSelect} /> : null}
        </LineChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}

/** Room at the right for the names at the ends of the lines, in pixels. */
function labelRoom({ criteria }: Trajectory): number {
  const longest = Math.max('Overall'.length, ...criteria.map((name) => Math.min(name.length, 14)));
  return Math.round(longest * 6.3) + 46;
}

function summary({ points }: Trajectory, record: RunRecord, settings: ExperimentSettings): string {
  if (points.length === 0) return 'Score trajectory: no version yet.';
  const notJudged = record.finishedAt === null ? 'not judged yet' : 'not judged';
  const scores = points.map((point) => (point.state === 'pending' ? notJudged : formatScore(point.overall))).join(', ');
  const left = points.filter((point) => point.left).map((point) => `Version ${point.version} was left.`);
  const best = record.bestVersion === null ? '' : `Best is version ${record.bestVersion}.`;
  const end = record.convergenceReason
    ? `${stopTitle(record.convergenceReason, record)}. ${stopMeaning(record.convergenceReason, settings)}.`
    : record.waitingFor
      ? record.waitingFor.toolCall === null
        ? `Paused at version ${record.waitingFor.version}.`
        : `Paused about the use of ${record.waitingFor.toolCall.tool}.`
      : '';
  const of = points.length === 1 ? '1 version' : `${points.length} versions`;
  return [
    `Score trajectory of ${of}. Overall ${scores} against a threshold of ${formatScore(settings.qualityThreshold)}.`,
    ...left,
    best,
    end,
  ]
    .filter(Boolean)
    .join(' ');
}
