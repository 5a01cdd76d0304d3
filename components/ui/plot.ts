import { createContext, useContext } from 'react';

/** Inner area of a chart with its scales, in pixels. */
export type Plot = {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (label: string) => number;
  y: (score: number) => number;
};

export type PlotFrame = {
  height: number;
  margin: { top: number; right: number; bottom: number; left: number };
  /** Labels of the points, in order. */
  labels: readonly string[];
  /** Values at the bottom and the top of the chart. */
  domain: readonly [low: number, high: number];
};

/** Distance from the edge of the area to the first and the last point. */
export const PLOT_PADDING = 14;

/** Computes the scales of a chart. Points are evenly spaced; a single one is centered. Labels without a point are placed on the left. */
export function plotOf({ height, margin, labels, domain: [low, high] }: PlotFrame, width: number): Plot {
  const [left, right] = [margin.left, width - margin.right];
  const [top, bottom] = [margin.top, height - margin.bottom];
  const step = labels.length > 1 ? (right - left - 2 * PLOT_PADDING) / (labels.length - 1) : 0;
  const first = labels.length > 1 ? left + PLOT_PADDING : (left + right) / 2;
  const positions = new Map(labels.map((label, index) => [label, first + index * step]));
  return {
    ...{ left, right, top, bottom },
    x: (label) => positions.get(label) ?? left,
    y: (score) => bottom - ((score - low) / (high - low)) * (bottom - top),
  };
}

/** Returns the point nearest to a position. Null outside the chart area. */
export function pointAt(plot: Plot, labels: readonly string[], x: number, y: number): string | null {
  if (x < plot.left || x > plot.right || y < plot.top || y > plot.bottom) return null;
  const distance = (label: string) => Math.abs(plot.x(label) - x);
  return labels.toSorted((one, other) => distance(one) - distance(other))[0] ?? null;
}

export const PlotContext = createContext<Plot | null>(null);

/** Returns the scales of the surrounding chart. */
export function usePlot(): Plot {
  const plot = useContext(PlotContext);
  if (plot === null) throw new Error('usePlot needs a PlotChart around');
  return plot;
}

/** A label at the end of a line: `at` is the position of the line end, `y` that of the text. In pixels from the top. */
export type PlacedLabel<Label> = Label & { at: number; y: number };

/**
 * Spreads labels to keep at least `gap` pixels between them, as close to their line ends as possible. They stay within `top` and `bottom`
 * if there is room. Returns them from top to bottom.
 */
export function spreadLabels<Label extends { at: number }>(
  labels: readonly Label[],
  gap: number,
  top: number,
  bottom: number,
): PlacedLabel<Label>[] {
  const placed = labels.map((label) => ({ ...label, y: label.at })).sort((one, other) => one.at - other.at);
  let groups = placed.map((label) => ({ labels: [label], centre: label.at }));
  for (let merged = true; merged; ) {
    merged = false;
    const next: typeof groups = [];
    for (const group of groups) {
      const last = next.at(-1);
      const room = last ? ((last.labels.length + group.labels.length) * gap) / 2 : 0;
      if (last && group.centre - last.centre < room) {
        const all = [...last.labels, ...group.labels];
        next[next.length - 1] = {
          labels: all,
          centre: within(mean(all.map((label) => label.at)), all.length, gap, top, bottom),
        };
        merged = true;
      } else {
        next.push({ ...group, centre: within(group.centre, group.labels.length, gap, top, bottom) });
      }
    }
    groups = next;
  }
  for (const group of groups) {
    group.labels.forEach((label, index) => {
      label.y = group.centre + (index - (group.labels.length - 1) / 2) * gap;
    });
  }
  return placed;
}

function within(centre: number, count: number, gap: number, top: number, bottom: number): number {
  const half = ((count - 1) * gap) / 2;
  return Math.max(top + half, Math.min(bottom - half, centre));
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
