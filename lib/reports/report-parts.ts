import { MAIN_AGENT } from '#lib/core/agents/tool-calls.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { stopName } from '#lib/core/stop-reasons.ts';
import { formatCost, formatCount, formatMoney, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import type { InsightsReport } from '#lib/insights/schema.ts';
import { isImportedRun } from '#lib/models/imported-runs.ts';
import type { ErrorRates } from '#lib/statistics/error-rates.ts';
import type { Target } from '#lib/statistics/read-target.ts';
import { kappaNote, type ReviewerAgreement } from '#lib/statistics/reviewer-agreement.ts';
import type { CountedShare } from '#lib/statistics/shares.ts';
import type { ReportContent } from './read-report.ts';

/** Markup that is safe to include in a page. Only `html` creates it from user text. */
export type Html = { readonly markup: string };
type Part = Html | string | number | null | readonly Part[];

/** Creates a piece of HTML or SVG. Inserted values are escaped, except other pieces and lists of them. Null inserts nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: texts.map((text, index) => text + markupOf(parts[index] ?? null)).join('') };
}

function markupOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for use between tags and inside quoted attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => NAMES[character] ?? character);
}

/** Formats a share as `75% (66% to 82%)`. */
export function shareLabel(share: { low: number; share: number; high: number } | null): string {
  if (share === null) return 'no data yet';
  return `${formatPercent(share.share)} (${formatPercent(share.low)} to ${formatPercent(share.high)})`;
}

const TARGET_NAMES: Record<Target, string> = {
  final_better: 'Final version better than the first',
  within_three: 'Satisfactory within 3 iterations',
  issues_resolved: 'Issues resolved in the next version',
  scored_alike: 'Same output scored again within 0.1',
  ended_by_rule: 'Stopped by quality or an early rule',
};

/** Renders the five targets, each with its count, interval and verdict. */
export function targetsPart({ targets }: InsightsReport): Html {
  return html`<h2>Targets</h2><div class="scroll"><table class="wide"><thead><tr><th scope="col">Target</th><th scope="col" class="n">Required</th><th scope="col" class="n">Counted</th><th scope="col" class="n">Share, 95%</th><th scope="col">Reading</th></tr></thead><tbody>
${targets.map(
  ({ target, aim, met, of, interval, reading, because }) =>
    html`<tr><th scope="row">${TARGET_NAMES[target]}</th><td class="n">${formatPercent(aim)}</td><td class="n">${formatCount(met)} of ${formatCount(of)}</td><td class="n">${shareLabel(interval)}</td><td class="w">${reading}: ${because}</td></tr>`,
)}</tbody></table></div>`;
}

/** Renders the rates of corrected and introduced errors, repeated answers, unscored evaluations, and the cost of improvement. */
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
    ['Checks that would pass in the long run at these rates', '', settlingLabel(errors)],
    ['Answers that repeat the previous answer, which failed', countLabel(repeats), shareLabel(repeats.interval)],
    ['Evaluations that left something unscored', countLabel(unscored), shareLabel(unscored.interval)],
    [
      'Cost of a gain of 0.10',
      formatNumberOf(cost.gained, 'run'),
      costLabel(cost.perPointUsd, cost.unpriced, cost.gain < 1e-6 ? 'no gain' : null),
    ],
    [
      'Cost of a solved run',
      formatNumberOf(cost.solved, 'run'),
      costLabel(cost.perSolvedUsd, cost.unpriced, cost.solved === 0 ? 'no run was solved' : null),
    ],
  ];
  return html`<h2>Errors and cost</h2><div class="scroll"><table class="wide"><thead><tr><th scope="col">Measure</th><th scope="col" class="n">Counted</th><th scope="col" class="n">Value, 95%</th></tr></thead><tbody>
${rows.map(([name, counted, value]) => html`<tr><th scope="row">${name}</th><td class="n">${counted}</td><td class="n">${value}</td></tr>`)}</tbody></table></div>`;
}

function countLabel({ met, of }: CountedShare): string {
  return `${formatCount(met)} of ${formatCount(of)}`;
}

function settlingLabel({ settles, now, trend }: ErrorRates): string {
  if (settles === null || trend === null) return 'no data yet';
  const direction = { rises: 'more than', falls: 'fewer than', within_noise: 'within noise of' }[trend];
  return `${shareLabel(settles)}, ${direction} the ${formatPercent(now ?? 0)} of now`;
}

/** `none`: the reason why there is no cost, or null if it is only not known. */
function costLabel(usd: number | null, unpriced: boolean, none: string | null): string {
  if (usd === null) return none ?? 'not known';
  return unpriced ? `at least ${formatMoney(usd)} (some calls have no known price)` : formatMoney(usd);
}

/** Renders each comparison with its verdicts as sentences that include n, interval and p. */
export function comparisonsPart({ comparisons }: Pick<ReportContent, 'comparisons'>): Html | null {
  if (comparisons.length === 0) return null;
  return html`<h2>Comparisons</h2>${comparisons.map(
    ({ title, comparison: { arms, against, effort } }) =>
      html`<h3>${title}</h3>${against.map(({ arm, solved, score }) => {
        const facts = arms.find((one) => one.arm === arm);
        return html`<p><b>${facts?.experimentName ?? arm}, settings v${facts?.version ?? ''}</b></p><ul><li>${solved.reading}</li><li>${score.reading}</li></ul>`;
      })}${
        effort.hasOtherLimits || effort.hasOtherSpend
          ? html`<p class="note">The effort differs. ${effort.hasOtherLimits ? 'Their numbers of versions or their budgets may differ. ' : ''}${effort.hasOtherSpend ? 'They spent noticeably more or less per run. ' : ''}A gain that costs more effort does not show that the settings are better.</p>`
          : null
      }`,
  )}<p class="note">Cases are paired. p is adjusted for all compared settings (Holm). “Within noise” means that the difference may be chance.</p>`;
}

/** Renders how often reviewers agree with the scores and with each other in blind reviews. Null without blind reviews. */
export function blindReviewsPart(
  { blindReviews, experiment }: Pick<ReportContent, 'blindReviews' | 'experiment'>,
  origin: string | null,
): Html | null {
  if (blindReviews === null) return null;
  const { scores, reviewers } = blindReviews;
  const { judgements, pairs, people } = scores;
  const isShared = reviewers.shared > 0;
  const note = isShared ? kappaNote(reviewers) : 'No pair was judged by several people.';
  const page = isShared && origin !== null ? `${origin}/insights?of=${experiment.id}#reviewers` : null;
  return html`<h2>Blind reviews</h2><p>${formatNumberOf(judgements, 'judgement')} of ${formatNumberOf(pairs, 'pair')} by ${formatNumberOf(people, 'person', 'people')}, of all settings versions. Reviewers chose the better of two versions without seeing names or scores.</p>
<div class="scroll"><table class="wide"><thead><tr><th scope="col">Agreement</th><th scope="col" class="n">Same choice</th><th scope="col" class="n">Share, 95%</th><th scope="col" class="n">Kappa, 95%</th></tr></thead><tbody>
<tr><th scope="row">Reviewers with the scores</th><td class="n">${formatCount(scores.agreed)} of ${formatCount(scores.picks)}</td><td class="n">${shareLabel(scores.interval)}</td><td class="n"></td></tr>${
    isShared
      ? html`
<tr><th scope="row">Reviewers with each other</th><td class="n">${formatCount(reviewers.same)} of ${formatCount(reviewers.n)}</td><td class="n">${shareLabel(reviewers.interval)}</td><td class="n">${kappaLabel(reviewers)}</td></tr>`
      : null
  }</tbody></table></div>
<p class="note">Ties are left out.${note === null ? null : ` ${note}`}${page === null ? null : html` <a href="${page}">Show the agreement between reviewers in Hone</a>.`}</p>`;
}

function kappaLabel({ kappa }: ReviewerAgreement): string {
  if (kappa === null) return 'none';
  const { low, high } = kappa;
  const bounds = low === null || high === null ? 'no interval' : `${formatScore(low)} to ${formatScore(high)}`;
  return `${formatScore(kappa.kappa)} (${bounds})`;
}

/** Renders the first runs, one per row. */
export function runsPart({ runs, ended, settings }: Pick<ReportContent, 'runs' | 'ended' | 'settings'>): Html {
  return html`<h2>Runs</h2>${runs.length < ended ? html`<p class="note">The first ${formatCount(runs.length)} of ${formatCount(ended)} runs. The export of runs contains all.</p>` : null}<div class="scroll"><table class="runs"><thead><tr><th scope="col" class="n">Run</th><th scope="col">Case</th><th scope="col">End</th><th scope="col">Solved</th><th scope="col">Scores by version</th><th scope="col" class="n">Tokens</th><th scope="col" class="n">Cost</th></tr></thead><tbody>
${rowsOf(runs, isImportedRun(settings))}</tbody></table></div>`;
}

const writtenRows = new WeakMap<ReportContent['runs'], Html>();

/** The list object of runs stays the same until a run changes, so its rows are rendered only once. */
function rowsOf(runs: ReportContent['runs'], isImported: boolean): Html {
  const written =
    writtenRows.get(runs) ??
    html`${runs.map(
      (run) =>
        html`<tr><td class="n">${run.number}</td><td class="w">${run.input}</td><td>${endLabel(run, isImported)}</td><td>${solvedLabel(run)}</td><td class="w">${run.scores.map(formatScore).join(' → ')}</td><td class="n">${formatCount(run.inputTokens + run.outputTokens)}</td><td class="n">${formatCost(run.costUsd, run.unpriced)}</td></tr>`,
    )}`;
  writtenRows.set(runs, written);
  return written;
}

function endLabel({ status, stopReason }: ReportContent['runs'][number], isImported: boolean): string {
  const name = stopReason === null ? 'unknown' : stopName(stopReason, isImported);
  return status === 'finished' || stopReason === 'user_stopped' ? name : `${status}: ${name}`;
}

function solvedLabel({ satisfied, bestScore }: ReportContent['runs'][number]): string {
  if (satisfied.includes('1')) return '✓ solved';
  return bestScore === null ? 'nothing scored' : '✕ not solved';
}

/** Renders the agents that made the attempts and their tools. Null if each attempt was one call. */
export function agentsPart({ generator }: Pick<ExperimentSettings, 'generator'>): Html | null {
  const { base, provider, model } = generator;
  if (base.type === 'single') return null;
  const workers = base.type === 'supervisor' ? base.workers : [];
  const agents = [
    { name: MAIN_AGENT, model: `${provider}/${model}`, tools: base.tools, maxSteps: base.maxSteps },
    ...workers.map((worker) => ({
      ...worker,
      model: `${worker.provider ?? provider}/${worker.model ?? model}`,
    })),
  ];
  const approvals =
    base.approve.length === 0
      ? null
      : html`<p class="note">A person was asked before each use of ${base.approve.join(', ')}.</p>`;
  return html`<h2>Agents</h2><div class="scroll"><table><thead><tr><th scope="col">Agent</th><th scope="col">Model</th><th scope="col">Tools</th><th scope="col" class="n">Turns at most</th></tr></thead><tbody>
${agents.map((agent) => html`<tr><th scope="row">${agent.name}</th><td>${agent.model}</td><td class="w">${agent.tools.length === 0 ? 'none' : agent.tools.join(', ')}</td><td class="n">${formatCount(agent.maxSteps)}</td></tr>`)}</tbody></table></div>${approvals}`;
}

/** Style of the report: light or dark like the reader's system, and for print. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #1c1e21; --ink-2: #4b5158; --line: #d9dde2; --surface: #fff; --brand: #1d4bd1; --sunken: #f4f6f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --ink-2: #a9b1ba; --line: #3a4048; --surface: #16181c; --brand: #8aa8ff; --sunken: #1f2227; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; background: var(--surface); color: var(--ink); font: 14px/1.55 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2.25rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: .95rem; margin: 1rem 0 .25rem; overflow-wrap: anywhere; }
a { color: var(--brand); }
p { margin: .35rem 0; max-width: 72ch; }
.facts, .note, caption { color: var(--ink-2); font-size: 12.5px; }
.notice { border: 1px solid var(--line); border-radius: 5px; background: var(--sunken); padding: .5rem .75rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
caption { text-align: left; padding-bottom: .25rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 500; color: var(--ink-2); font-size: 12px; }
th[scope="row"] { color: var(--ink); font-size: 13px; }
.n { text-align: right; }
.n, .m { white-space: nowrap; }
.w { overflow-wrap: anywhere; }
.w, .wide th[scope="row"] { min-width: 12rem; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: 5px; padding: .75rem; overflow-x: auto; font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: .5rem 0; }
svg { display: block; font: 11px system-ui, sans-serif; }
svg text { fill: var(--ink-2); } svg .value { fill: var(--ink); font-weight: 600; }
svg .grid { stroke: var(--line); } svg .band { fill: var(--brand); opacity: .14; }
svg .main { fill: none; stroke: var(--brand); stroke-width: 2.5; } svg .dot { fill: var(--surface); stroke: var(--brand); stroke-width: 2; }
svg .second { fill: none; stroke: var(--ink-2); stroke-width: 1.25; stroke-dasharray: 5 4; } svg .thin { fill: none; stroke: var(--ink-2); opacity: .18; }
svg .aim { stroke: var(--ink); stroke-dasharray: 2 3; }
@media print { body { max-width: none; padding: 0; } h2, table, figure { break-inside: avoid; } .runs { break-inside: auto; } }
`;

/** Point of a line over versions, with a value from 0 to 1. */
type ChartPoint = { version: number; value: number };
type ChartBound = { version: number; low: number; high: number };

type Chart = {
  /** Text alternative of the chart for screen readers. */
  label: string;
  /** Labels of the versions, from 0. */
  labels: readonly string[];
  /** Title of the horizontal axis. */
  axis: string;
  main: readonly ChartPoint[];
  band: readonly ChartBound[];
  /** Dashed. */
  second: readonly ChartPoint[];
  /** Faint lines in the background. */
  thin: readonly (readonly ChartPoint[])[];
  aim: number | null;
  /** Formats a value for its point and the axis. */
  write: (value: number) => string;
};

const WIDTH = 720;
const HEIGHT = 260;
const LEFT = 46;
const RIGHT = 20;
const TOP = 24;
const BOTTOM = 40;
const TICKS = [0, 0.25, 0.5, 0.75, 1];
/** Maximum number of values with labels. More would overlap. */
const MAX_VALUE_LABELS = 14;

/** Renders a line chart over versions as SVG without scripts, with values from 0 to 1. Lines with gaps are given as separate lines. */
export function reportChart({ label, labels, axis, main, band, second, thin, aim, write }: Chart): Html {
  const steps = Math.max(1, labels.length - 1);
  const x = (version: number) => LEFT + 16 + (version * (WIDTH - LEFT - RIGHT - 32)) / steps;
  const y = (value: number) => TOP + (1 - value) * (HEIGHT - TOP - BOTTOM);
  const line = (points: readonly ChartPoint[]) =>
    points.map(({ version, value }) => `${round(x(version))},${round(y(value))}`).join(' ');
  const area = [
    ...band.map(({ version, high }) => ({ version, value: high })),
    ...band.toReversed().map(({ version, low }) => ({ version, value: low })),
  ];
  const every = Math.ceil(labels.length / MAX_VALUE_LABELS);
  const isWritten = (version: number) => version % every === 0 || version === labels.length - 1;
  return html`<div class="scroll"><svg width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${TICKS.map((tick) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${LEFT - 6}" y="${y(tick) + 4}" text-anchor="end">${write(tick)}</text>`)}
${aim === null ? null : html`<line class="aim" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y(aim))}" y2="${round(y(aim))}"/>`}
${thin.map((points) => html`<polyline class="thin" points="${line(points)}"/>`)}
<polygon class="band" points="${line(area)}"/><polyline class="second" points="${line(second)}"/><polyline class="main" points="${line(main)}"/>
${main.map(({ version, value }) => html`<circle class="dot" cx="${round(x(version))}" cy="${round(y(value))}" r="3.5"/>`)}
${main.filter(({ version }) => isWritten(version)).map(({ version, value }) => html`<text class="value" x="${round(x(version))}" y="${round(y(value)) - 9}" text-anchor="middle">${write(value)}</text>`)}
${labels.map((text, version) => (isWritten(version) ? html`<text x="${round(x(version))}" y="${HEIGHT - 22}" text-anchor="middle">${text}</text>` : null))}
<text x="${WIDTH / 2}" y="${HEIGHT - 4}" text-anchor="middle">${axis}</text></svg></div>`;
}

/** Returns scores by version as lines that break at unscored versions. */
export function brokenLines(scores: readonly (number | null)[]): ChartPoint[][] {
  const lines: ChartPoint[][] = [[]];
  for (const [version, value] of scores.entries()) {
    if (value === null) lines.push([]);
    else lines.at(-1)?.push({ version, value });
  }
  return lines.filter((points) => points.length > 1);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
