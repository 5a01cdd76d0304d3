import { type Html, html } from './report-parts.ts';

/** Points of a line over versions, values from 0 to 1. */
export type ChartPoint = { version: number; value: number };
export type ChartBound = { version: number; low: number; high: number };

type Chart = {
  /** What the chart says, for those who don't see it. */
  label: string;
  /** Of the versions, from 0. */
  labels: readonly string[];
  /** What the numbers under the axis are. */
  axis: string;
  main: readonly ChartPoint[];
  band: readonly ChartBound[];
  /** Dashed. */
  second: readonly ChartPoint[];
  /** Faint, behind all. */
  thin: readonly (readonly ChartPoint[])[];
  aim: number | null;
  /** How a value is written at its point and at the axis. */
  write: (value: number) => string;
};

const WIDTH = 720;
const HEIGHT = 260;
const LEFT = 46;
const RIGHT = 20;
const TOP = 24;
const BOTTOM = 40;
const TICKS = [0, 0.25, 0.5, 0.75, 1];
/** More values than these stand on each other. */
const MOST_WRITTEN = 14;

/** A line chart over versions as SVG without scripts, values from 0 to 1 upwards. Gaps are given as lines of their own. */
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
  const every = Math.ceil(labels.length / MOST_WRITTEN);
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

/** Scores by version as lines that break at what is unscored. */
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
