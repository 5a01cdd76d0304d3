import { describe, expect, test } from 'vitest';
import type { MonthUse } from '#lib/settings/schema.ts';
import { monthBudgetLabel } from './month-budget-labels.ts';

const USE: MonthUse = {
  maxCostUsd: 5,
  warnAtPercent: 80,
  month: '2026-11',
  spentUsd: 1.31,
  practiceUsd: 1.31,
  unpricedCalls: 0,
  experiments: [],
  otherUsd: 0,
  updatedBy: null,
  updatedAt: null,
};
const NOW = new Date('2026-11-22T00:00:00Z');
const wordsOf = (use: Partial<MonthUse>, now = NOW) => monthBudgetLabel({ ...USE, ...use }, now);

describe('month budget labels', () => {
  test('show the share used and the practice prices', () => {
    expect(wordsOf({})).toEqual({
      title: 'November budget',
      billedUsd: 0,
      percent: 26,
      warning: null,
      notes: ['All costs use practice prices. Nothing was billed.', 'Months start and end in UTC.'],
    });
  });

  test.each([
    { spentUsd: 3.99, warning: null },
    { spentUsd: 4, warning: '80% of the budget is used.' },
    { spentUsd: 4.999, warning: '99% of the budget is used.' },
    { spentUsd: 5, warning: 'The budget is used up. Raise it or wait until next month.' },
    { spentUsd: 50, warning: 'The budget is used up. Raise it or wait until next month.' },
  ])('$spentUsd of 5 dollars spent: $warning', ({ spentUsd, warning }) => {
    expect(wordsOf({ spentUsd }).warning).toBe(warning);
  });

  test('show no warning without a budget', () => {
    expect(wordsOf({ maxCostUsd: null, spentUsd: 99 })).toMatchObject({ percent: null, warning: null });
  });

  test.each([
    { name: 'on the first day of a month', use: {}, now: new Date('2026-11-01T20:00:00Z') },
    { name: 'if nothing was spent', use: { spentUsd: 0, practiceUsd: 0 }, now: NOW },
  ])('show no pace $name', ({ use, now }) => {
    expect(wordsOf(use, now).notes.join(' ')).not.toContain('pace');
  });

  test('show billed cost separately and handle December', () => {
    const { title, notes } = wordsOf(
      { month: '2026-12', spentUsd: 3.1, practiceUsd: 0.1 },
      new Date('2026-12-11T00:00:00Z'),
    );
    expect(title).toBe('December budget');
    expect(notes).toContain('$0.100 more in practice prices was not billed.');
    expect(notes).toContain('At this pace $9.30 on 31 Dec.');
  });
});
