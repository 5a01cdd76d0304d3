import { expect, test } from 'vitest';
import { tQuantile } from '#lib/core/student-t.ts';
import { normalBelow, normalPoint, twoSidedT } from './intervals.ts';

test.each([
  // R, help page of the data set "sleep" (Student 1908): t.test(extra ~ group, paired = TRUE).
  { name: 'Student’s sleep data', value: 4.0621, degrees: 9, p: 0.002833 },
  // Table of critical values, two-sided 0.05 and 0.01 (Fisher & Yates 1963).
  { name: 'Fisher & Yates, 1 degree of freedom', value: 12.7062, degrees: 1, p: 0.05 },
  { name: 'Fisher & Yates, 5 degrees of freedom at 1 %', value: 4.03214, degrees: 5, p: 0.01 },
  { name: 'Fisher & Yates, 30 degrees of freedom', value: 2.04227, degrees: 30, p: 0.05 },
  { name: 'nearly the normal distribution', value: 1.959964, degrees: 1_000_000, p: 0.05 },
  { name: 'no difference', value: 0, degrees: 7, p: 1 },
  { name: 'infinity', value: Number.POSITIVE_INFINITY, degrees: 7, p: 0 },
])('$name: t $value has p $p on both sides', ({ value, degrees, p }) => {
  expect(twoSidedT(value, degrees)).toBeCloseTo(p, 6);
  expect(twoSidedT(-value, degrees)).toBe(twoSidedT(value, degrees));
});

test('the 97.5 % quantile has a two-sided p of 5 %', () => {
  for (const degrees of [1, 2, 5, 10, 11, 29, 999]) expect(twoSidedT(tQuantile(degrees), degrees)).toBeCloseTo(0.05, 4);
});

test('normal quantiles invert the normal distribution, also in the tails', () => {
  for (const share of [0.00005, 0.001, 0.025, 0.2, 0.5, 0.8, 0.975])
    expect(normalBelow(normalPoint(share)) / share).toBeCloseTo(1, 5);
  expect(normalPoint(0.975)).toBeCloseTo(1.959964, 5);
});
