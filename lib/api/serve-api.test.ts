import { expect, test } from 'vitest';
import { ROUTES } from './routes.ts';
import { serveApi } from './serve-api.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const paths = [...new Set(ROUTES.map(({ path }) => path))].filter((path) => path !== '/metrics');

test.each(paths)('%s returns an API error with the allowed methods for an unsupported method', async (path) => {
  const known = ROUTES.filter((route) => route.path === path).map(({ method }) => String(method));
  const address = `http://127.0.0.1:3000${path.replaceAll(/\{.+?\}/g, 'x')}`;
  for (const method of METHODS.filter((one) => !known.includes(one))) {
    const response = await serveApi(new Request(address, { method }));
    expect({ method, status: response.status }).toEqual({ method, status: 405 });
    for (const one of known) expect(response.headers.get('allow')?.split(', ')).toContain(one);
    expect(await response.json()).toEqual({
      error: { code: 'method_not_allowed', message: expect.stringContaining(`not ${method}`) },
    });
  }
  const options = await serveApi(new Request(address, { method: 'OPTIONS' }));
  expect(options.status).toBe(204);
  expect(options.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining([...known, 'OPTIONS']));
});
