import { ScoreChange } from '#components/ui/score-change.tsx';
import { Stat, Stats } from '#components/ui/stat.tsx';
import {
  formatCost,
  formatCount,
  formatNumberOf,
  formatPercent,
  formatPercentAgainst,
  formatScore,
} from '#lib/format.ts';
import { type BatchReport, costPerPoint } from '#lib/statistics/batch-report.ts';
import { ENDED_BY_RULE_TARGET } from '#lib/statistics/read-target.ts';

type BatchStatsProps = {
  report: BatchReport;
  waiting: number;
  /** Batch of an older settings version, for comparison. */
  older: { settingsVersion: number; report: BatchReport } | null;
  isImported: boolean;
};

/** Shows the four key figures of a batch, each with its comparison and uncertainty. */
export function BatchStats({ report, waiting, older, isImported }: BatchStatsProps) {
  return (
    <Stats>
      <Solved report={report} />
      <Scores report={report} />
      <Costs report={report} older={older} isImported={isImported} />
      <Stops report={report} waiting={waiting} />
    </Stats>
  );
}

function Solved({ report: { ended, unscored, solvedShare, cases, total } }: { report: BatchReport }) {
  return (
    <Stat
      label="Ever solved"
      value={solvedShare === null ? '–' : `${formatCount(solvedShare.solved)} of ${formatCount(solvedShare.n)}`}
    >
      {solvedShare
        ? `${formatPercent(solvedShare.share)}, 95% interval ${Math.round(solvedShare.low * 100)} to ${Math.round(solvedShare.high * 100)}${cases < total ? `, over ${formatNumberOf(cases, 'case')}` : ''}`
        : ended === 0
          ? 'no runs have ended'
          : 'no runs count'}
      {unscoredRunsLabel(unscored)}
    </Stat>
  );
}

/** Returns `, 3 runs without scores`. Empty if there are none. */
function unscoredRunsLabel(unscored: number): string {
  return unscored > 0 ? `, ${formatNumberOf(unscored, 'run')} without scores` : '';
}

function Scores({ report: { firstScore, bestScore, gain } }: { report: BatchReport }) {
  const known = bestScore !== null && firstScore !== null;
  return (
    <Stat
      label="First → best score"
      value={
        known ? (
          <>
            <span className="font-normal text-ink-3">{formatScore(firstScore.mean)}</span> →{' '}
            {formatScore(bestScore.mean)}
          </>
        ) : (
          '–'
        )
      }
    >
      {known && gain !== null ? (
        <>
          mean gain <ScoreChange by={gain.mean} /> per run,{' '}
          <span className="whitespace-nowrap">n = {formatCount(gain.n)}</span>
        </>
      ) : (
        'no scores yet'
      )}
    </Stat>
  );
}

function Costs({ report, older, isImported }: Pick<BatchStatsProps, 'report' | 'older' | 'isImported'>) {
  const perPoint = costPerPoint(report);
  if (report.unpriced && report.costUsd === 0)
    return (
      <Stat label="Cost per solved run" value="–">
        {isImported ? 'The imported runs have no costs.' : 'The model has no price. Set one under Models.'}
      </Stat>
    );
  const before = older === null ? null : perSolved(older.report);
  return (
    <Stat label="Cost per solved run" value={perSolved(report) ?? '–'}>
      {older === null || before === null ? '' : `v${older.settingsVersion} ${before} · `}
      {perPoint === null ? '' : `${formatCost(perPoint, report.unpriced)} per gain of 0.10 · `}
      total {formatCost(report.costUsd, report.unpriced)}
    </Stat>
  );
}

function perSolved({ solved, costUsd, unpriced }: BatchReport): string | null {
  return solved === 0 ? null : formatCost(costUsd / solved, unpriced);
}

function Stops({ report, waiting }: Pick<BatchStatsProps, 'report' | 'waiting'>) {
  const byRule = report.endedByRule;
  return (
    <Stat
      label="Stopped at the right time"
      value={byRule === null ? '–' : `${formatCount(byRule.met)} of ${formatCount(byRule.n)}`}
    >
      {byRule === null
        ? report.unscored > 0
          ? 'no runs count'
          : 'no run has ended by its rules yet'
        : `${formatPercentAgainst(byRule.share, ENDED_BY_RULE_TARGET)}, target ${formatPercent(ENDED_BY_RULE_TARGET)}, 95% interval ${Math.round(byRule.low * 100)} to ${Math.round(byRule.high * 100)}`}
      {unscoredRunsLabel(report.unscored)}
      {waiting > 0 ? `, ${formatCount(waiting)} waiting` : ''}
    </Stat>
  );
}
