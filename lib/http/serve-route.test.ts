import { expect, test } from 'vitest';
import { AuthorizationError } from '#lib/auth/authorization-error.ts';
import { respond } from './serve-route.ts';

const refuse = async () => {
  throw new AuthorizationError(401, 'This needs an API token.');
};

test.each([
  ['api', { error: { code: 'unauthorized', message: 'This needs an API token.' } }],
  [
    'json-rpc',
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_000, message: 'This needs an API token.', data: { code: 'unauthorized' } },
    },
  ],
] as const)('a refusal has the format %s', async (errors, body) => {
  const response = await respond(refuse, { errors });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await response.json()).toEqual(body);
});
