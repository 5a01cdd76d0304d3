import { expect, test } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useProviderOptions } from './provider-settings.tsx';

test('a change of one option keeps what another owner saves in the others', async () => {
  let stored: Parameters<typeof useProviderOptions>[0] = { resourceName: 'one' };
  const { current, act, render } = await renderHook(() => useProviderOptions(stored, false));
  expect(current().isChanged).toBe(false);
  await act(() => current().setOption('apiVersion', 'preview'));
  stored = { resourceName: 'one', api: 'responses' };
  await render();
  expect(current().isChanged).toBe(true);
  expect(current().fields.apiVersion.isConflicting).toBe(false);
  expect(current().options).toEqual({ resourceName: 'one', apiVersion: 'preview', api: 'responses' });
  await act(() => current().setOption('api', ' '));
  expect(current().options).toEqual({ resourceName: 'one', apiVersion: 'preview' });
});

test('reports that someone else changed an edited option', async () => {
  let stored: Parameters<typeof useProviderOptions>[0] = { region: 'us-east-1' };
  const { current, act, render } = await renderHook(() => useProviderOptions(stored, false));
  await act(() => current().setOption('region', 'eu-west-1'));
  stored = { region: 'us-west-2' };
  await render();
  expect(current().options).toEqual({ region: 'eu-west-1' });
  expect(current().fields.region.isConflicting).toBe(true);
});
