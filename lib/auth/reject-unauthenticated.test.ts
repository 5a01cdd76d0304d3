import { expect, test } from 'vitest';
import { AuthorizationError, rejectUnauthenticated } from './authorization-error.ts';
import { readRefusalDigest } from './refusal-digest.ts';

function thrownBy(work: () => never): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test.each(['action', 'route'] as const)('an %s throws 401 without a redirect, so that the page stays', (kind) => {
  const thrown = thrownBy(() => rejectUnauthenticated(kind, '/lessons/1'));
  expect(thrown).toBeInstanceOf(AuthorizationError);
  expect(thrown).toMatchObject({ status: 401, digest: 'HONE_UNAUTHORIZED' });
  expect(readRefusalDigest(thrown)).toEqual({ kind: 'unauthorized' });
});

test('a page redirects to the sign-in page with a return path', () => {
  const thrown = thrownBy(() => rejectUnauthenticated('page', '/lessons/1'));
  expect(thrown).not.toBeInstanceOf(AuthorizationError);
  expect(thrown).toMatchObject({
    digest: expect.stringMatching(/^NEXT_REDIRECT;[a-z]+;\/sign-in\?to=%2Flessons%2F1;/),
  });
});
