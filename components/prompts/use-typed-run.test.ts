import { expect, test, vi } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import type { PlaygroundRun } from '#lib/prompts/playground-schema.ts';
import { type TypedRequest, useTypedRun } from './use-typed-run.ts';

const REQUEST = { prompt: null, text: 'Sort', cases: [{}], setup: { models: [{}] } } as unknown as TypedRequest;
const EARLIER = { setup: { models: [] }, answers: [] } as unknown as PlaygroundRun;

test('a run can follow one that ended while an earlier run was shown', async () => {
  const answers: ((response: Response) => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
  const { current, act } = await renderHook(() => useTypedRun([]));
  await act(() => void current().run(REQUEST, [1]));
  await act(() => current().show(EARLIER, []));
  expect(current().isRunning).toBe(true);
  await act(() => answers[0]?.(new Response('')));
  expect(current().isRunning).toBe(false);
  await act(() => void current().run(REQUEST, [1]));
  expect(answers).toHaveLength(2);
});
