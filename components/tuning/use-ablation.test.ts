import { setTimeout } from 'node:timers/promises';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryWrapper, renderHook } from '#components/testing/render-hook.test-support.ts';
import type { AblationView } from '#lib/statistics/ablation-report.ts';
import { useAblation } from './ablation-pane.tsx';

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
