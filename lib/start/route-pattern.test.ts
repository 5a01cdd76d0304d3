import { expect, test } from 'vitest';
import { routePattern } from './route-pattern.ts';

test.each([
  ['/', '/'],
  ['/runs', '/runs'],
  ['/runs/0199', '/runs/{id}'],
  ['/runs/import', '/runs/import'],
  ['/api/v1/runs/0199/versions/3/rescore', '/api/v1/runs/{id}/versions/{number}/rescore'],
  ['/api/v1/nothing/here', '/api/{rest}'],
  ['/_next/static/chunks/a.js', '/_next'],
  ['/wp-login.php', 'other'],
  ['/runs/0199/more/and/more', 'other'],
])('%s is %s', (path, pattern) => {
  expect(routePattern(path)).toBe(pattern);
});
