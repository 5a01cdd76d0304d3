import { expect, test, vi } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useLoadedCode } from './use-loaded-code.ts';

test('code is loaded when it is first wanted, and again on request after a failure', async () => {
  const load = vi.fn(async () => 'code');
  load.mockRejectedValueOnce(new Error('Failed to load chunk'));
  let isWanted = false;
  const { current, act, render } = await renderHook(() => useLoadedCode(isWanted, load));
  expect(load).not.toHaveBeenCalled();
  isWanted = true;
  await render();
  await act(() => undefined);
  expect(current()).toMatchObject({ code: null, isFailed: true });
  await act(() => current().retry());
  expect(current()).toMatchObject({ code: 'code', isFailed: false });
  isWanted = false;
  await render();
  isWanted = true;
  await render();
  expect(load).toHaveBeenCalledTimes(2);
});
