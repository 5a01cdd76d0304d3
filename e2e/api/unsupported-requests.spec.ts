import { ROUTES } from '#lib/api/routes.ts';
import { expect, test } from './api-test.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

test('an unsupported method returns the standard error with the allowed methods', async ({ api }) => {
  const documented = ROUTES.filter((route) => route.path.startsWith('/api/v1/'));
  for (const path of new Set(documented.map((route) => route.path))) {
    const known: string[] = documented.filter((route) => route.path === path).map(({ method }) => method);
    const address = path.replaceAll(/\{.+?\}/g, '00000000-0000-4000-8000-000000000000');
    for (const method of METHODS.filter((one) => !known.includes(one))) {
      const { headers, ...answer } = await api.call(method, address);
      expect({ method, address, ...answer }).toMatchObject({
        ...{ method, address, status: 405 },
        body: { error: { code: 'method_not_allowed', message: expect.stringContaining(`not ${method}`) } },
      });
      for (const one of known) expect(headers.allow).toContain(one);
    }
  }
});

for (const path of ['/api', '/api?x=1', '/api/v1', '/api/nothing', '/api/v1/budget/of/whom'])
  test(`${path} returns 404 in the common error format`, async ({ api }) => {
    for (const method of METHODS)
      expect(await api.call(method, path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

test('rejects input that would otherwise be ignored', async ({ api }) => {
  const refused = { status: 400, body: { error: { code: 'invalid' } } };
  expect(await api.call('POST', '/api/v1/retention/purge', { olderThanDays: 30 })).toMatchObject(refused);
  expect(await api.call('POST', '/api/v1/retention/purge', {})).toMatchObject({ status: 200 });
  expect(await api.call('PUT', '/api/v1/budget', {})).toMatchObject({
    status: 400,
    body: { error: { field: 'maxCostUsd', message: expect.stringContaining('null (no limit)') } },
  });
});

test('reports all invalid fields of a request', async ({ api }) => {
  const { status, body } = await api.call('PUT', '/api/v1/budget', { maxCostUsd: -1, warnAtPercent: 0 });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: { field: 'maxCostUsd', problems: [{ field: 'maxCostUsd' }, { field: 'warnAtPercent' }] },
  });
});
