import { expect, test } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useDefaultModels } from './default-models.tsx';

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
});

test('a save shows the new choice before it is loaded, and keeps what is chosen during the save', async () => {
  let chosen: Parameters<typeof useDefaultModels>[0] = CHOSEN;
  const { current, act, render } = await renderHook(() => useDefaultModels(chosen));
  await act(() => current().change('generator', model('b')));
  const { saved } = current();
  await act(() => current().change('judge', model('c')));
  await act(saved);
  expect(current().draft).toMatchObject({ generator: model('b'), judge: model('c') });
  chosen = { ...CHOSEN, generator: model('b') };
  await render();
  expect(current()).toMatchObject({ draft: { generator: model('b') }, changes: { judge: model('c') } });
  chosen = { ...chosen, generator: model('theirs') };
  await render();
  expect(current().draft).toMatchObject({ generator: model('theirs'), judge: model('c') });
});

test('a role that someone else changed too is reported until it has their model', async () => {
  let chosen: Parameters<typeof useDefaultModels>[0] = CHOSEN;
  const { current, act, render } = await renderHook(() => useDefaultModels(chosen));
  await act(() => current().change('generator', model('b')));
  expect(current().conflicts).toEqual([]);
  chosen = { ...CHOSEN, generator: model('theirs'), judge: model('theirs') };
  await render();
  expect(current().conflicts).toEqual([
    { field: 'generator', message: expect.stringMatching(/^Someone changed it to openai \/ theirs/) },
  ]);
  await act(() => current().change('generator', model('theirs')));
  expect(current().conflicts).toEqual([]);
});
