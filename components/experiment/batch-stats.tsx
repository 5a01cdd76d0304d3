import { Change } from '#components/ui/change.tsx';
import { formatCost, formatCount, formatMoney, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import type { BatchReport } from '#lib/measures/batch-report.ts';
import { wilsonInterval } from '#lib/measures/wilson-interval.ts';

/** The four numbers a batch comes down to, each with against what and how sure. */
export function BatchStats({ report }: { report: BatchReport }) {
  const interval = wilsonInterval(report.solved, report.ended);
  const { firstScore, bestScore } = report;
  return (
    <div className="stats">
      <div className="stat">
        <span className="l">Solved</span>
        <span className="v">
          {formatCount(report.solved)} of {formatCount(report.ended)}
        </span>
        <span className="s">
          {interval
            ? `${formatPercent(interval.share)}, 95 % interval ${Math.round(interval.low * 100)} to ${Math.round(interval.high * 100)}`
            : 'none has ended yet'}
        </span>
      </div>
      <div className="stat">
        <span className="l">First → best score</span>
        <span className="v">
          {bestScore && firstScore ? (
            <>
              <span className="faint font-normal">{formatScore(firstScore.mean)}</span> → {formatScore(bestScore.mean)}
            </>
          ) : (
            '–'
          )}
        </span>
        <span className="s">
          {bestScore && firstScore ? (
            <>
              mean gain <Change by={bestScore.mean - firstScore.mean} /> over {formatNumberOf(bestScore.n, 'run')}
            </>
          ) : (
            'nothing is scored yet'
          )}
        </span>
      </div>
      <div className="stat">
        <span className="l">Cost per solved case</span>
        <span className="v">
          {report.solved > 0 ? formatCost(report.costUsd / report.solved, report.unpriced) : '–'}
        </span>
        <span className="s">total {formatCost(report.costUsd, report.unpriced)}</span>
      </div>
      <div className="stat">
        <span className="l">Tokens</span>
        <span className="v">{formatCount(report.tokenUsage.total)}</span>
        <span className="s">
          {formatCount(report.tokenUsage.input)} in, {formatCount(report.tokenUsage.output)} out
          {report.ended > 0 && !report.unpriced ? `, ${formatMoney(report.costUsd / report.ended)} a run` : ''}
        </span>
      </div>
    </div>
  );
}
