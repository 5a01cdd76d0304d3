import { expect, test } from 'vitest';
import { pagePattern } from './serve-pages.ts';

test.each([
  ['/', '/'],
  ['/runs', '/runs'],
  ['/runs/0199', '/runs/{id}'],
  ['/runs/import', '/runs/import'],
  ['/api/v1/runs/0199', '/api/{rest}'],
  ['/metrics', '/metrics'],
  ['/sdk/hone-sdk.tgz', '/sdk/{file}'],
  ['/_next/static/chunks/a.js', '/_next'],
  ['/wp-login.php', 'other'],
  ['/runs/0199/more/and/more', 'other'],
])('%s is %s', (path, pattern) => {
  expect(pagePattern(path)).toBe(pattern);
});
