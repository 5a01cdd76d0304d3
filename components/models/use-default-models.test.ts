import { expect, test } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useDefaultModels } from './use-default-models.ts';

const model = (name: string) => ({ provider: 'openai', model: name });
const CHOSEN = { generator: model('a'), judge: null, critic: null, embeddings: null };

test('a change of one role keeps what another owner chooses for the others', async () => {
  let chosen: Parameters<typeof useDefaultModels>[0] = CHOSEN;
  const { current, act, render } = await renderHook(() => useDefaultModels(chosen));
  expect(current().isChanged).toBe(false);
  await act(() => current().change('generator', model('b')));
  chosen = { ...CHOSEN, judge: model('theirs') };
  await render();
  expect(current()).toMatchObject({
    draft: { generator: model('b'), judge: model('theirs') },
    changes: { generator: model('b') },
    isChanged: true,
  });
  await act(() => current().change('judge', null));
  expect(current().changes).toEqual({ generator: model('b'), judge: null });
  await act(() => current().reset());
  expect(current()).toMatchObject({ draft: chosen, isChanged: false });
});
