import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { usePromptfooPreview } from './use-promptfoo-preview.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  ['the text', { text: 'prompts: [two]', withExperiment: true }],
  ['the choice to create an experiment', { text: 'prompts: [one]', withExperiment: false }],
])('a preview is not current while the one of %s loads', async (_name, next) => {
  const answers: ((response: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
  let shown = { text: 'prompts: [one]', withExperiment: true };
  const { current, act, render } = await renderHook(() => usePromptfooPreview(shown.text, shown.withExperiment));
  await act(() => answers.at(-1)?.(Response.json({ caseCount: 1 })));
  expect(current()).toMatchObject({ preview: { caseCount: 1 }, isCurrent: true });
  shown = next;
  await render();
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(current()).toMatchObject({ preview: { caseCount: 1 }, isCurrent: false });
  await act(() => answers.at(-1)?.(Response.json({ caseCount: 2 })));
  expect(current()).toMatchObject({ preview: { caseCount: 2 }, isCurrent: true });
});
