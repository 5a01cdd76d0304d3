import { expect, test } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { storedFieldError, useStoredField } from './use-stored-field.ts';

async function edited(stored: string) {
  const props = { stored, isHeld: false };
  const hook = await renderHook(() => useStoredField(props.stored, props.isHeld));
  return {
    ...hook,
    store: async (changes: Partial<typeof props>) => {
      Object.assign(props, changes);
      await hook.render();
      const { value, isChanged, isConflicting } = hook.current();
      return { value, isChanged, isConflicting };
    },
  };
}

test('an untouched field follows a change by someone else', async () => {
  const { store } = await edited('one');
  expect(await store({ stored: 'two' })).toEqual({ value: 'two', isChanged: false, isConflicting: false });
});

test('an edited field keeps its value and reports the change', async () => {
  const { store, act, current } = await edited('one');
  await act(() => current().setValue('mine'));
  expect(current()).toMatchObject({ isChanged: true, isConflicting: false });
  expect(await store({ stored: 'two' })).toEqual({ value: 'mine', isChanged: true, isConflicting: true });
  await act(() => current().setValue('two'));
  expect(current()).toMatchObject({ isChanged: false, isConflicting: false });
});

test('a field for which another one was entered keeps its value', async () => {
  const { store } = await edited('one');
  await store({ isHeld: true });
  expect(await store({ stored: 'two' })).toEqual({ value: 'one', isChanged: true, isConflicting: true });
});

test('a save of the own value is no conflict', async () => {
  const { store, act, current } = await edited('one');
  await act(() => current().setValue('mine'));
  expect(await store({ stored: 'mine' })).toEqual({ value: 'mine', isChanged: false, isConflicting: false });
});

test('a saved value is shown as it was stored', async () => {
  const { store, act, current } = await edited('one');
  await act(() => current().setValue(' mine '));
  await act(() => current().saved());
  expect(await store({ stored: 'mine' })).toEqual({ value: 'mine', isChanged: false, isConflicting: false });
});

test('a value entered during a save is kept', async () => {
  const { store, act, current } = await edited('one');
  await act(() => current().setValue('mine'));
  const { saved } = current();
  await act(() => current().setValue('newer'));
  await act(saved);
  expect(await store({ stored: 'mine' })).toEqual({ value: 'newer', isChanged: true, isConflicting: false });
  expect(await store({ stored: 'theirs' })).toEqual({ value: 'newer', isChanged: true, isConflicting: true });
});

test.each([
  ['of the field', 'mine'],
  ['of other fields', 'one'],
])('a field for which another one is entered after a save %s keeps its value', async (_name, own) => {
  const { store, act, current } = await edited('one');
  await act(() => current().setValue(own));
  await act(() => current().saved());
  await store({ stored: own });
  await store({ isHeld: true });
  expect(await store({ stored: 'theirs' })).toEqual({ value: own, isChanged: true, isConflicting: true });
});

test.each([
  [
    'the change by someone else',
    null,
    null,
    'Someone changed it to two while you were editing. Saving replaces it with yours.',
  ],
  ['the change, although the save was refused for it', 'was changed', 'conflict', expect.stringMatching(/^Someone/)],
  ['why the value was refused', 'must be a URL', 'invalid', 'must be a URL'],
] as const)('a conflicting field shows %s', (_name, refusal, code, expected) => {
  const problem = code === null ? null : { code };
  expect(storedFieldError({ isConflicting: true, stored: 'two' }, refusal, problem)).toEqual(expected);
  expect(storedFieldError({ isConflicting: false, stored: 'two' }, refusal, problem)).toBe(refusal);
});
