import { expect, test, vi } from 'vitest';

vi.mock('./authorize.ts', () => ({ authorize: async () => ({ id: 'ada', name: 'Ada', role: 'owner' }) }));
vi.mock('next/headers', () => ({ cookies: async () => new Map() }));
// Another test file may have loaded the module without these mocks.
vi.resetModules();
const { defineAction } = await import('./define-action.ts');

const handle = vi.fn(async (_actor: unknown, name: string) => ({ ok: true, value: name }));
const remove = defineAction('removeAction', { role: 'owner', named: 'prompt', audit: 'deleted' }, handle);

test.each([[undefined], [null], [7], [{}], [{ not: '' }], [['mine']], ['mi\0ne'], ['mine\uD800']])(
  'returns not_found for the name %j without performing the action',
  async (name) => {
    expect(await remove(name as unknown as string)).toMatchObject({
      ok: false,
      problem: { code: 'not_found', message: expect.stringContaining('no prompt with this name') },
    });
    expect(handle).not.toHaveBeenCalled();
  },
);

test('performs the action with a name that is a text', async () => {
  expect(await remove('mine')).toEqual({ ok: true, value: 'mine' });
});

test('refuses an input that refers to the same objects so often that it would be huge as JSON', async () => {
  const save = defineAction('saveAction', { role: 'owner', audit: 'changed' }, async (_actor, _input: unknown) => ({
    ok: true,
  }));
  let input: object = {};
  for (let level = 0; level < 40; level++) input = { one: input, other: input };
  expect(await save(input)).toMatchObject({ ok: false, problem: { code: 'too_large' } });
});
