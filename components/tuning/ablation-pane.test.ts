import { setTimeout } from 'node:timers/promises';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryWrapper, renderHook } from '#components/testing/render-hook.test-support.ts';
import type { AblationPlanReport, AblationView, PartReport } from '#lib/statistics/ablation-report.ts';
import { contributionLabel, evidenceLabel, priceLabel, useAblation } from './ablation-pane.tsx';

test('the measurement of a run is current when the user returns to its page', async () => {
  const client = new QueryClient();
  const viewOf = (status: string) => ({ plan: null, report: { status } }) as unknown as AblationView;
  const { unmount } = await renderHook(() => useAblation('run-1', viewOf('stopped')), queryWrapper(client));
  await unmount();
  // Unused data is removed after a timer of 0 ms.
  await setTimeout(1);
  const { current } = await renderHook(() => useAblation('run-1', viewOf('done')), queryWrapper(client));
  expect(current().view.report?.status).toBe('done');
});

const lines = { edits: [], removed: ['a'], restored: [] };
const plan: AblationPlanReport = {
  ...{ version: 3, parts: [lines, lines], fixed: [], cases: 40, validatesOn: 'validation' },
  ...{ leastTries: 12, mostTries: 120, callsPerTry: 2, costPerTryUsd: 0.01 },
};

test.each([
  {
    tries: 36,
    made: 0,
    of: plan,
    says: '3 prompts on 12 of 40 validation cases: 36 tries, 72 calls, about $0.360.',
  },
  {
    tries: 500,
    made: 36,
    of: plan,
    says: '3 prompts on 40 of 40 validation cases: 84 tries more, 168 calls, about $0.840.',
  },
  {
    tries: 37,
    made: 0,
    of: { ...plan, validatesOn: 'train' as const, costPerTryUsd: null },
    says: '3 prompts on 12 of 40 training cases: 36 tries, 72 calls, cost unknown.',
  },
  { tries: 11, made: 0, of: plan, says: 'Enter at least 12 tries.' },
  { tries: null, made: 0, of: plan, says: 'Enter at least 12 tries.' },
])('price label: $says', ({ tries, made, of, says }) => {
  expect(priceLabel(of, tries, made)).toBe(says);
});

const part: PartReport = {
  ...{ ...lines, n: 12, contribution: 0.25, low: 0.1, high: 0.4, better: 9, worse: 1, same: 2 },
  ...{ p: 0.0215, pHolm: 0.043, verdict: 'helps' },
};

test('shows a contribution with its interval, and a missing one as a dash', () => {
  expect(contributionLabel(part)).toBe('+0.25, +0.10 to +0.40');
  expect(contributionLabel({ ...part, low: null, high: null, contribution: 0 })).toBe('0');
  expect(contributionLabel({ ...part, contribution: null })).toBe('–');
});

test.each([
  { of: part, says: 'n 12: 9 higher, 1 lower, 2 the same, p = 0.04' },
  { of: { ...part, pHolm: 0.0004 }, says: 'n 12: 9 higher, 1 lower, 2 the same, p < 0.001' },
  { of: { ...part, pHolm: null }, says: 'n 12: 9 higher, 1 lower, 2 the same' },
  { of: { ...part, n: 0 }, says: 'not measured yet' },
])('evidence label: $says', ({ of, says }) => {
  expect(evidenceLabel(of)).toBe(says);
});
