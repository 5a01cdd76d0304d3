import type { AppContext } from '#lib/context/app-context.ts';
import { namedModels } from '#lib/core/named-models.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { STOP_REASONS, stopName } from '#lib/core/stop-reasons.ts';
import { modelId } from '#lib/core/targets/target-model.ts';
import { CONTROL_LABELS } from '#lib/experiments/schema.ts';
import {
  formatCost,
  formatCount,
  formatList,
  formatMoment,
  formatNumberOf,
  formatPercent,
  formatScore,
} from '#lib/format.ts';
import { type Download, fileName, textChunks } from '#lib/formats/download.ts';
import { isImportedRun } from '#lib/models/imported-runs.ts';
import { agentBaseLabel, isScoredElsewhere, SCORED_ELSEWHERE } from '#lib/runs/run-facts.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import { type ReportContent, readReport } from './read-report.ts';
import {
  agentsPart,
  blindReviewsPart,
  brokenLines,
  comparisonsPart,
  type Html,
  html,
  REPORT_STYLE,
  ratesPart,
  reportChart,
  runsPart,
  shareLabel,
  targetsPart,
} from './report-parts.ts';

/** Returns the report of an experiment as a shareable HTML file. `origin`: origin of its links to the app. Null for no links. */
export async function exportReport(
  context: AppContext,
  experimentId: string,
  origin: string | null = null,
): Promise<Result<Download>> {
  const content = await readReport(context, experimentId);
  if (!content.ok) return content;
  async function* texts(page: string) {
    yield page;
  }
  return succeed({
    type: 'text/html; charset=utf-8',
    name: fileName(content.value.experiment.name, 'report.html'),
    chunks: textChunks(texts(writeReport(content.value, origin))),
  });
}

const MAX_CHARTED_RUNS = 200;

/** Writes the report of an experiment as one self-contained HTML file, without scripts or network requests. */
export function writeReport(content: ReportContent, origin: string | null = null): string {
  const { experiment, practice, insights } = content;
  const page = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${experiment.name} · Hone report</title><style>${STYLE}</style></head>
<body><main>${headPart(content)}${practice ? html`<p class="notice"><b>Practice data.</b> Texts, scores and prices come from the built-in practice model, not from a real one.</p>` : null}
${resultPart(content)}${curvePart(content)}${trajectoryPart(content)}${insights === null ? null : targetsPart(insights)}${comparisonsPart(content)}${blindReviewsPart(content, origin)}${insights === null ? null : ratesPart(insights)}
${endsPart(content)}${agentsPart(content.settings)}${settingsPart(content)}${runsPart(content)}</main></body></html>`;
  return `<!doctype html>\n${page.markup}\n`;
}

const STYLE: Html = { markup: REPORT_STYLE };

function headPart({ experiment, version, settings, ended, failed, batch, underWay, at }: ReportContent): Html {
  const { name, origin, control, sample } = experiment;
  const facts = [
    ...(sample ? ['sample'] : []),
    ...(origin === 'imported' ? ['imported runs'] : []),
    ...(control === null ? [] : [`control: ${CONTROL_LABELS[control]}`]),
    `mode ${settings.mode}`,
    `settings v${version}`,
    `models ${formatList([...new Set(namedModels(settings).map(modelId))])}`,
    ...(settings.generator.base.type === 'single'
      ? []
      : [`attempts made by ${agentBaseLabel(settings.generator.base)}`]),
    `${formatNumberOf(ended, 'ended run')} of ${formatNumberOf(batch.cases, 'case')}`,
    ...(failed > 0 ? [`${formatCount(failed)} of them failed`] : []),
    ...(batch.unscored > 0 ? [`${formatCount(batch.unscored)} left out of all shares: nothing was scored`] : []),
    ...(underWay > 0 ? [`${formatCount(underWay)} not ended yet and left out`] : []),
    `made ${formatMoment(at)}`,
  ];
  return html`<h1>${name}</h1><p class="facts">${facts.join(' · ')}</p>`;
}

function resultPart({ batch, first, best, ended }: ReportContent): Html {
  if (ended === 0) return html`<p>No run has ended yet.</p>`;
  return html`<h2>Result</h2><p><b>Solved: ${formatCount(batch.solved)} of ${formatNumberOf(batch.solvedShare?.n ?? 0, 'run')}, ${shareLabel(batch.solvedShare)}.</b> Solved means: some version was good enough by its evaluation.</p>
<p>Mean score of the cases: first version ${meanLabel(first)}, best version ${meanLabel(best)}.</p>
<p>${spendLabel(batch)} All intervals have 95% confidence. Unscored versions are gaps, not 0.</p>`;
}

/** Imported runs often have neither tokens nor cost. */
function spendLabel({ costUsd, unpriced, tokenUsage: { total } }: ReportContent['batch']): string {
  if (unpriced && costUsd === 0 && total === 0) return 'Tokens and cost are not known.';
  return `Cost: ${formatCost(costUsd, unpriced)}. Tokens: ${formatCount(total)}.`;
}

function judgeLabel({ settings: { criteria } }: ReportContent): string {
  if (criteria.every(isScoredElsewhere)) return `${SCORED_ELSEWHERE}.`;
  const judges = criteria.map(({ name, evaluator }) => `${name} (${evaluator})`);
  return `Judged by the evaluators that stopped the loop: ${judges.join(', ')}.`;
}

function meanLabel(mean: MeanInterval | null): string {
  if (mean === null) return 'unscored';
  const { low, high, n } = mean;
  const bounds = low === null || high === null ? 'no interval' : `${formatScore(low)} to ${formatScore(high)}`;
  return `${formatScore(mean.mean)} (${bounds}, n = ${formatNumberOf(n, 'case')})`;
}

function curvePart(content: ReportContent): Html | null {
  const { solveCurve } = content.batch;
  const { settings } = content;
  const last = solveCurve.at(-1);
  if (last === undefined) return null;
  const labels = versionLabels(settings.mode, solveCurve.length);
  return html`<h2>Solved by ${settings.mode === 'retry' ? 'attempt' : 'version'}</h2><figure>${reportChart({
    label: `Ever solved ${formatPercent(last.ever.share)} of ${formatNumberOf(last.n, 'run')} by the last. The table has all numbers`,
    axis: settings.mode === 'retry' ? 'after attempt' : 'by version',
    main: solveCurve.map(({ version, ever }) => ({ version, value: ever.share })),
    band: solveCurve.map(({ version, ever }) => ({ version, low: ever.low, high: ever.high })),
    second: solveCurve.map(({ version, current }) => ({ version, value: current.share })),
    ...{ labels, thin: [], aim: null, write: formatPercent },
  })}<figcaption class="note">Line: ever solved, with its interval. Dashed: solved by what was current then. ${judgeLabel(content)}</figcaption></figure>
<div class="scroll"><table><thead><tr><th scope="col"></th><th scope="col" class="n">Ever solved</th><th scope="col" class="n">Share, 95%</th><th scope="col" class="n">Currently solved</th><th scope="col" class="n">Share, 95%</th></tr></thead><tbody>
${solveCurve.map(
  ({ version, n, ever, current }) =>
    html`<tr><th scope="row">${labels[version] ?? ''}</th><td class="n">${formatCount(ever.solved)} of ${formatCount(n)}</td><td class="n">${shareLabel(ever)}</td><td class="n">${formatCount(current.solved)} of ${formatCount(n)}</td><td class="n">${shareLabel(current)}</td></tr>`,
)}</tbody></table></div>`;
}

function trajectoryPart({ trajectory, runs, ended, settings }: ReportContent): Html | null {
  const last = trajectory.at(-1);
  if (last === undefined) return null;
  return html`<h2>Scores</h2><figure>${reportChart({
    label: `Mean score ${formatScore(trajectory[0]?.mean ?? null)} at first, ${formatScore(last.mean)} at last`,
    axis: settings.mode === 'retry' ? 'attempt' : 'version',
    labels: versionLabels(settings.mode, last.version + 1),
    main: trajectory.map(({ version, mean }) => ({ version, value: mean })),
    band: trajectory.flatMap(({ version, low, high }) =>
      low === null || high === null ? [] : [{ version, low, high }],
    ),
    second: [],
    thin: runs.slice(0, MAX_CHARTED_RUNS).flatMap(({ scores }) => brokenLines(scores)),
    aim: settings.qualityThreshold,
    write: formatScore,
  })}<figcaption class="note">Mean over the cases with its interval. A run that ended early counts with its last score. Faint: ${ended > MAX_CHARTED_RUNS ? `the first ${MAX_CHARTED_RUNS} runs` : 'each run'}. Dotted: quality threshold ${formatScore(settings.qualityThreshold)}.</figcaption></figure>`;
}

function versionLabels(mode: ReportContent['settings']['mode'], count: number): string[] {
  return Array.from({ length: count }, (_, version) => (mode === 'retry' ? String(version + 1) : `v${version}`));
}

function endsPart({ batch, ended, settings }: ReportContent): Html | null {
  const isImported = isImportedRun(settings);
  const reasons = STOP_REASONS.map((reason) => [stopName(reason, isImported), batch.stopReasons[reason] ?? 0] as const)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one);
  if (reasons.length === 0) return null;
  return html`<h2>Why runs ended</h2><table><thead><tr><th scope="col">Reason</th><th scope="col" class="n">Runs</th><th scope="col" class="n">Share</th></tr></thead><tbody>
${reasons.map(([name, count]) => html`<tr><th scope="row">${name}</th><td class="n">${formatCount(count)}</td><td class="n">${formatPercent(count / ended)}</td></tr>`)}</tbody></table>`;
}

function settingsPart({ experiment, version, settings }: ReportContent): Html {
  return html`<h2>Settings, version ${version}</h2><div class="scroll"><table><thead><tr><th scope="col">Version</th><th scope="col">Made</th><th scope="col">By</th><th scope="col">Description</th></tr></thead><tbody>
${experiment.versions.map((one) => html`<tr><th scope="row">v${one.version}${one.version === version ? ' (this report)' : ''}</th><td class="m">${formatMoment(one.createdAt)}</td><td>${one.actor}</td><td class="w">${one.message}</td></tr>`)}</tbody></table></div>
<details><summary>All settings of version ${version}</summary><pre>${JSON.stringify(settings, null, 2)}</pre></details>`;
}
