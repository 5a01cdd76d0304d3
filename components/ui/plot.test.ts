import { expect, test } from 'vitest';
import { type PlotFrame, plotOf, pointAt } from './plot.ts';

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
