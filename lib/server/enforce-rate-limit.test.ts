import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS_HEADER } from '#lib/auth/client-address.ts';
import { openRateLimits } from '#lib/auth/rate-limits.ts';
import { parseEnvironment } from '#lib/environment.ts';
import { enforceRateLimit } from './guard-requests.ts';

const environment = parseEnvironment({ HONE_RATE_LIMITS: 'requests=1' });
if (!environment.ok) throw new Error(environment.problem.message);
// Ten requests per minute and address.
const limits = openRateLimits(environment.value.rateLimits, () => 0);
const server = createServer((request, response) => {
  if (!enforceRateLimit(request, response, limits)) response.end('a page');
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

function ask(path: string, from: string): Promise<Response> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return fetch(`http://127.0.0.1:${port}${path}`, { headers: { [ADDRESS_HEADER]: from } });
}

async function statuses(times: number, path: string, from: string): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: times }, () => ask(path, from)));
  await Promise.all(answers.map((answer) => answer.text()));
  return answers.map(({ status }) => status).toSorted();
}

test('returns 429 from routes and pages to an address over the limit, not to others', async () => {
  expect(await statuses(15, '/api/v1/runs', '198.51.100.1')).toEqual([...Array(10).fill(200), ...Array(5).fill(429)]);
  const route = await ask('/api/v1/runs', '198.51.100.1');
  expect([route.headers.get('retry-after'), await route.json()]).toEqual([
    '6',
    { error: { code: 'rate_limited', message: 'Too many requests. Try again in 6 seconds.' } },
  ]);
  const page = await ask('/sign-in', '198.51.100.1');
  expect([page.status, await page.text()]).toEqual([429, 'Too many requests. Try again in 6 seconds.\n']);
  expect(await statuses(1, '/sign-in', '198.51.100.2')).toEqual([200]);
});

test('does not count static files of pages', async () => {
  expect(await statuses(20, '/_next/static/chunks/a.js', '198.51.100.3')).toEqual(Array(20).fill(200));
});
