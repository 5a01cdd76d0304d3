import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { queryWrapper, renderHook } from '#components/testing/render-hook.test-support.ts';
import { useDatasetChoices, useExperimentChoices } from './use-experiment-choices.ts';

test.each([
  ['experiments', useExperimentChoices],
  ['datasets', useDatasetChoices],
])('%s that could not be loaded are an error, not an empty list', async (_name, useChoices) => {
  const client = new QueryClient();
  const refusal = '{"error":{"message":"The database is not reachable."}}';
  vi.stubGlobal('fetch', async () => new Response(refusal, { status: 503 }));
  const { current, act } = await renderHook(() => useChoices(true), queryWrapper(client));
  await act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0)));
  expect(current()).toEqual({ choices: [], error: 'The database is not reachable.' });
});
