import { expect, test } from 'vitest';
import { type PlotFrame, plotOf, pointAt, spreadLabels } from './plot.ts';

const FRAME: PlotFrame = {
  height: 100,
  margin: { top: 10, right: 20, bottom: 30, left: 40 },
  domain: [0.5, 1],
  labels: ['v0', 'v1', 'v2'],
};
const plot = plotOf(FRAME, 200);

test('spaces points evenly between the edges', () => {
  expect(FRAME.labels.map(plot.x)).toEqual([54, 110, 166]);
});

test('centres a single point and places unknown labels at the left edge', () => {
  const alone = plotOf({ ...FRAME, labels: ['v0'] }, 200);
  expect([alone.x('v0'), alone.x('v7')]).toEqual([110, 40]);
});

test('maps the domain from bottom to top', () => {
  expect([0.5, 0.75, 1].map(plot.y)).toEqual([70, 40, 10]);
});

test.each([
  ['nearest', 100, 40, 'v1'],
  ['before the first', 41, 40, 'v0'],
  ['left of the area', 39, 40, null],
  ['below the area', 100, 71, null],
])('pointAt: %s', (_, x, y, label) => {
  expect(pointAt(plot, FRAME.labels, x, y)).toBe(label);
});

test.each([
  { name: 'keeps labels that are far apart', at: [10, 50], expected: [10, 50] },
  { name: 'separates two labels at the same position', at: [50, 50], expected: [43, 57] },
  { name: 'orders labels by position', at: [90, 20], expected: [20, 90] },
  { name: 'spreads a cluster around its mean', at: [50, 51, 52], expected: [37, 51, 65] },
  { name: 'merges groups that meet', at: [50, 51, 60], expected: [39.67, 53.67, 67.67] },
  { name: 'moves labels down from the top edge', at: [0, 0], expected: [0, 14] },
  { name: 'moves labels up from the bottom edge', at: [100, 100, 100], expected: [72, 86, 100] },
  { name: 'accepts no labels', at: [], expected: [] },
])('$name', ({ at, expected }) => {
  const placed = spreadLabels(
    at.map((value) => ({ at: value })),
    14,
    0,
    100,
  ).map(({ y }) => y);
  expect(placed.map((y) => Math.round(y * 100) / 100)).toEqual(expected);
});

test('labels that fit keep their minimum distance and order', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const at = Array.from({ length: 1 + (seed % 7) }, (_, index) => ((seed * 7919 * (index + 3)) % 1000) / 10);
    const placed = spreadLabels(
      at.map((value) => ({ at: value })),
      14,
      0,
      100,
    );
    placed.slice(1).forEach((label, index) => {
      expect(label.y - (placed[index]?.y ?? 0), `seed ${seed}`).toBeGreaterThanOrEqual(13.999);
    });
  }
});
