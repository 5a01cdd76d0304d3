import { formatCost, formatCount, formatMoney, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import type { InsightsReport } from '#lib/insights/insights-report.ts';
import type { CountedShare } from '#lib/statistics/counted-share.ts';
import type { ErrorRates } from '#lib/statistics/error-rates.ts';
import type { Target } from '#lib/statistics/run-readings.ts';
import { type Html, html } from './html.ts';
import type { ReportContent } from './read-report.ts';

/** `75 % (66 % to 82 %)`. */
export function shareLabel(share: { low: number; share: number; high: number } | null): string {
  if (share === null) return 'nothing to tell yet';
  return `${formatPercent(share.share)} (${formatPercent(share.low)} to ${formatPercent(share.high)})`;
}

const TARGET_NAMES: Record<Target, string> = {
  final_better: 'Final version better than the first',
  within_three: 'Satisfactory within 3 iterations',
  issues_resolved: 'Issues resolved in the next version',
  scored_alike: 'Same output scored alike, within 0.1',
  ended_by_rule: 'Stopped by quality or an early rule',
};

/** The five targets, each with what it counts, its interval, and the verdict in words. */
export function targetsPart({ targets }: InsightsReport): Html {
  return html`<h2>Targets</h2><div class="scroll"><table><thead><tr><th scope="col">Target</th><th scope="col" class="n">Asked for</th><th scope="col" class="n">Counted</th><th scope="col" class="n">Share, 95 %</th><th scope="col">Reading</th></tr></thead><tbody>
${targets.map(
  ({ target, aim, met, of, interval, reading, because }) =>
    html`<tr><th scope="row">${TARGET_NAMES[target]}</th><td class="n">${formatPercent(aim)}</td><td class="n">${formatCount(met)} of ${formatCount(of)}</td><td class="n">${shareLabel(interval)}</td><td>${reading}: ${because}</td></tr>`,
)}</tbody></table></div>`;
}

/** Errors corrected and introduced, answers repeated, evaluations without a score, and what improvement cost. */
export function ratesPart({ errors, repeats, unscored, cost }: InsightsReport): Html {
  const rows: [string, string, string][] = [
    [
      'Errors corrected: checks that failed and pass in the next version',
      countLabel(errors.corrected),
      shareLabel(errors.corrected.interval),
    ],
    [
      'Errors introduced: checks that passed and fail in the next version',
      countLabel(errors.introduced),
      shareLabel(errors.introduced.interval),
    ],
    ['Checks that would pass if it went on like this', '', settlingLabel(errors)],
    ['Answers that are the same as the one before, which failed', countLabel(repeats), shareLabel(repeats.interval)],
    ['Evaluations that left something unscored', countLabel(unscored), shareLabel(unscored.interval)],
    [
      'Cost of 0.10 of score',
      formatNumberOf(cost.gained, 'run'),
      cost.perPointUsd === null ? 'nothing was gained' : costLabel(cost.perPointUsd, cost.unpriced),
    ],
    [
      'Cost of a solved run',
      formatNumberOf(cost.solved, 'run'),
      cost.perSolvedUsd === null ? 'none was solved' : costLabel(cost.perSolvedUsd, cost.unpriced),
    ],
  ];
  return html`<h2>Errors and cost</h2><div class="scroll"><table><thead><tr><th scope="col">Measure</th><th scope="col" class="n">Counted</th><th scope="col" class="n">Value, 95 %</th></tr></thead><tbody>
${rows.map(([name, counted, value]) => html`<tr><th scope="row">${name}</th><td class="n">${counted}</td><td class="n">${value}</td></tr>`)}</tbody></table></div>`;
}

function countLabel({ met, of }: CountedShare): string {
  return `${formatCount(met)} of ${formatCount(of)}`;
}

function settlingLabel({ settles, now, trend }: ErrorRates): string {
  if (settles === null || trend === null) return 'nothing to tell yet';
  const direction = { rises: 'more than', falls: 'fewer than', within_noise: 'within noise of' }[trend];
  return `${shareLabel(settles)}, ${direction} the ${formatPercent(now ?? 0)} of now`;
}

function costLabel(usd: number, unpriced: boolean): string {
  return unpriced ? `at least ${formatMoney(usd)}; some calls have no known price` : formatMoney(usd);
}

/** Each comparison with its verdicts as sentences, which carry n, interval and p. */
export function comparisonsPart({ comparisons }: Pick<ReportContent, 'comparisons'>): Html | null {
  if (comparisons.length === 0) return null;
  return html`<h2>Comparisons</h2>${comparisons.map(
    ({ title, comparison: { arms, against, effort } }) =>
      html`<h3>${title}</h3>${against.map(({ arm, solved, score }) => {
        const facts = arms.find((one) => one.arm === arm);
        return html`<p><b>${facts?.experimentName ?? arm}, settings v${facts?.version ?? ''}</b></p><ul><li>${solved.reading}</li><li>${score.reading}</li></ul>`;
      })}${
        effort.hasOtherLimits || effort.hasOtherSpend
          ? html`<p class="note">The effort differs: ${effort.hasOtherLimits ? 'they may make other numbers of versions or have other budgets' : ''}${effort.hasOtherLimits && effort.hasOtherSpend ? '; ' : ''}${effort.hasOtherSpend ? 'they spent noticeably more or less a run' : ''}. What was paid for with more effort is no better setting.</p>`
          : null
      }`,
  )}<p class="note">Cases are paired; p is adjusted for all arms compared (Holm). Within noise means: it may be chance.</p>`;
}

/** The first runs, one a row. */
export function runsPart({ runs, ended }: Pick<ReportContent, 'runs' | 'ended'>): Html {
  return html`<h2>Runs</h2>${runs.length < ended ? html`<p class="note">The first ${formatCount(runs.length)} of ${formatCount(ended)}; the export of runs has all.</p>` : null}<div class="scroll"><table class="runs"><thead><tr><th scope="col" class="n">Run</th><th scope="col">Case</th><th scope="col">End</th><th scope="col">Solved</th><th scope="col">Scores by version</th><th scope="col" class="n">Tokens</th><th scope="col" class="n">Cost</th></tr></thead><tbody>
${rowsOf(runs)}</tbody></table></div>`;
}

const writtenRows = new WeakMap<ReportContent['runs'], Html>();

/** Runs come in the same list for as long as none of them changes: their rows are written once. */
function rowsOf(runs: ReportContent['runs']): Html {
  const written =
    writtenRows.get(runs) ??
    html`${runs.map(
      (run) =>
        html`<tr><td class="n">${run.number}</td><td class="w">${run.input}</td><td>${run.status === 'finished' ? '' : `${run.status}: `}${reasonLabel(run.stopReason)}</td><td>${solvedLabel(run)}</td><td>${run.scores.map(formatScore).join(' → ')}</td><td class="n">${formatCount(run.inputTokens + run.outputTokens)}</td><td class="n">${formatCost(run.costUsd, run.unpriced)}</td></tr>`,
    )}`;
  writtenRows.set(runs, written);
  return written;
}

function solvedLabel({ satisfied, bestScore }: ReportContent['runs'][number]): string {
  if (satisfied.includes('1')) return '✓ solved';
  return bestScore === null ? 'nothing scored' : '✕ not solved';
}

/** Why runs ended, in the words of the API. */
export function reasonLabel(reason: string | null): string {
  return (reason ?? 'not told').replaceAll('_', ' ');
}
