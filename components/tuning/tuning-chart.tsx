'use client';

import { useMemo } from 'react';
import { Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { SelectByChart } from '#components/run/select-by-chart.tsx';
import { stopTitle } from '#components/run/stop-reason-labels.ts';
import { TrajectoryEnd } from '#components/run/trajectory-end.tsx';
import { TrajectoryLines } from '#components/run/trajectory-lines.tsx';
import { TrajectoryRail } from '#components/run/trajectory-rail.tsx';
import { CHART, ChartFrame, ChartTip } from '#components/ui/chart.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatNumberOf, formatScore } from '#lib/format.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import type { TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { decisionReason, stateLabel } from './candidate-labels.ts';
import { spreadLabel } from './mean-label.tsx';
import { TuningMarks } from './tuning-marks.tsx';
import { tuningTrajectory } from './tuning-trajectory.ts';

type TuningChartProps = {
  record: RunRecord;
  tuning: TuningSummary;
  settings: ExperimentSettings;
  selected: number | null;
  onSelect: (version: number) => void;
};

const HEIGHT = 312;

/** Candidates by the mean they are chosen by, with its interval; training and held-out curves apart; what was not taken as a mark. */
export function TuningChart({ record, tuning, settings, selected, onSelect }: TuningChartProps) {
  const trajectory = useMemo(() => tuningTrajectory(tuning, record.bestVersion), [tuning, record.bestVersion]);
  const isEnded = record.convergenceReason !== null;
  return (
    <ChartFrame aria-label={summary(record, tuning, settings)}>
      <ResponsiveContainer width="100%" height={HEIGHT} initialDimension={{ width: 488, height: HEIGHT }}>
        <LineChart
          className={CHART}
          data={trajectory.points}
          margin={{ top: 46, right: 100, bottom: 58, left: 30 }}
          accessibilityLayer
          title="Means by prompt. Arrow keys show the means of each prompt, Enter selects it."
        >
          <XAxis dataKey="label" hide padding={{ left: 14, right: 14 }} scale="point" />
          <YAxis domain={[trajectory.lowest, 1]} hide allowDataOverflow />
          <Line dataKey="overall" stroke="none" dot={false} activeDot={false} isAnimationActive={false} />
          <TrajectoryLines
            trajectory={trajectory}
            threshold={settings.qualityThreshold}
            selected={selected}
            best={record.bestVersion}
            showValues={false}
            hasEndLabels={false}
          />
          <TuningMarks tuning={tuning} trajectory={trajectory} />
          <TrajectoryEnd trajectory={trajectory} record={record} settings={settings} />
          <TrajectoryRail trajectory={trajectory} record={record} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: 'var(--line-strong)', strokeWidth: 1 }}
            content={<TuningTip tuning={tuning} isEnded={isEnded} />}
          />
          <SelectByChart trajectory={trajectory} onSelect={onSelect} />
        </LineChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}

/** The chart in words. */
function summary(record: RunRecord, { versions, cases }: TuningSummary, settings: ExperimentSettings): string {
  const each = versions.map((version) => {
    const words = stateLabel(version, record.convergenceReason !== null);
    const mean = version.chosenBy;
    const heldOut = version.heldOut;
    return [
      `v${version.number} ${words}`,
      mean === null ? '' : `mean ${formatScore(mean.mean)}, ${spreadLabel(mean)}`,
      heldOut === null ? '' : `held out ${formatScore(heldOut.mean)}, n ${heldOut.n}`,
    ]
      .filter(Boolean)
      .join(', ');
  });
  const end = record.convergenceReason === null ? '' : ` ${stopTitle(record.convergenceReason, record)}.`;
  return `Means of ${formatNumberOf(versions.length, 'prompt')} over ${formatNumberOf(cases.validation || cases.train, 'case')} against a threshold of ${formatScore(settings.qualityThreshold)}: ${each.join('; ')}.${end}`;
}

type TuningTipProps = {
  tuning: TuningSummary;
  isEnded: boolean;
  active?: boolean;
  label?: string | number;
};

/** All means of the prompt one points at, each with its interval and the number of its cases, and why it stands as it does. */
function TuningTip({ tuning, isEnded, active, label }: TuningTipProps) {
  const version = tuning.versions.find(({ number }) => `v${number}` === label);
  if (!active || version === undefined) return null;
  const reason = decisionReason(version);
  const rows: { name: string; mean: MeanInterval | null; className: string }[] = [
    { name: 'Validation', mean: version.validation, className: 'font-semibold text-brand' },
    { name: 'Training', mean: version.train, className: 'text-s1' },
    { name: 'Held out', mean: version.heldOut, className: 'text-s2' },
  ];
  return (
    <ChartTip className="max-w-72">
      <b>v{version.number}</b> <span className="text-ink-3">{stateLabel(version, isEnded)}</span>
      <table className="mt-1">
        <tbody>
          {rows.map(({ name, mean, className }) => (
            <tr key={name}>
              <td className={className}>{name}</td>
              <td className="font-semibold">{mean === null ? '–' : formatScore(mean.mean)}</td>
              <td className="text-ink-3">{mean === null ? 'not on all cases' : spreadLabel(mean)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {reason === '' ? null : <p className="mt-1 whitespace-normal text-ink-2 text-sm">{reason}</p>}
    </ChartTip>
  );
}
