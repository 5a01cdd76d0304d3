import { expect, test, vi } from 'vitest';
import { defineAction } from './define-action.ts';

vi.mock('./authorize.ts', () => ({ authorize: async () => ({ id: 'ada', name: 'Ada', role: 'owner' }) }));
vi.mock('next/headers', () => ({ cookies: async () => new Map() }));

const handle = vi.fn(async (_actor: unknown, name: string) => ({ ok: true, value: name }));
const remove = defineAction('removeAction', { role: 'owner', named: 'webhook', audit: 'deleted' }, handle);

test.each([[undefined], [null], [7], [{}], [{ not: '' }], [['mine']], ['mi\0ne'], ['mine\uD800']])(
  'returns not_found for the name %j without performing the action',
  async (name) => {
    expect(await remove(name as unknown as string)).toMatchObject({
      ok: false,
      problem: { code: 'not_found', message: expect.stringContaining('no webhook with this name') },
    });
    expect(handle).not.toHaveBeenCalled();
  },
);

test('performs the action with a name that is a text', async () => {
  expect(await remove('mine')).toEqual({ ok: true, value: 'mine' });
});
