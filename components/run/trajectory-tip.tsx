import { Change } from '#components/ui/change.tsx';
import { ChartTip, SERIES } from '#components/ui/chart.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { roundTo6 } from '#lib/core/text-values.ts';
import { formatScore, formatScoreAgainst } from '#lib/format.ts';
import type { Trajectory } from './trajectory.ts';
import { originLabel } from './version-labels.ts';

type TrajectoryTipProps = {
  trajectory: Trajectory;
  record: RunRecord;
  settings: ExperimentSettings;
  active?: boolean;
  label?: string | number;
};

/** All scores of the version one points at, against its parent's. */
export function TrajectoryTip({ trajectory, record, settings, active, label }: TrajectoryTipProps) {
  const point = trajectory.points.find((candidate) => candidate.label === label);
  const version = record.versions.find((candidate) => candidate.number === point?.version);
  if (!active || !point || !version) return null;
  const parent = trajectory.points.find((candidate) => candidate.version === point.parent);
  const notJudged = record.finishedAt === null && !version.interrupted ? 'not yet' : 'not judged';
  const rows = [
    {
      name: 'Overall',
      score: point.overall,
      before: parent?.overall,
      className: 'font-semibold text-brand',
      floor: settings.qualityThreshold,
    },
    ...trajectory.criteria.map((name, index) => ({
      name,
      score: point.criteria[name] ?? null,
      before: parent?.criteria[name],
      className: SERIES[index % 5]?.text ?? '',
      floor: settings.criteria.find((criterion) => criterion.name === name)?.threshold ?? 0,
    })),
  ];
  return (
    <ChartTip>
      <b>{point.label}</b> <span className="text-ink-3">{originLabel(version)}</span>
      <table className="mt-1">
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td className={row.className}>{row.name}</td>
              <td className={row.name === 'Overall' ? 'font-semibold' : undefined}>
                {point.state === 'pending' ? notJudged : shownScore(row.score, row.floor)}
              </td>
              <td className="text-ink-3">
                {row.score === null ? null : row.before == null ? (
                  parent ? (
                    'parent unscored'
                  ) : (
                    'first'
                  )
                ) : (
                  <Change by={row.score - row.before} />
                )}
                {row.score !== null && roundTo6(row.score) < roundTo6(row.floor) ? (
                  <span className="text-worse"> below {formatScoreAgainst(row.score, row.floor).threshold}</span>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ChartTip>
  );
}

function shownScore(score: number | null, floor: number): string {
  return score === null ? formatScore(null) : formatScoreAgainst(score, floor).score;
}
