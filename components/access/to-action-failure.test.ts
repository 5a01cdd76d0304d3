import { expect, test } from 'vitest';
import { SESSION_ENDED } from '#components/api/call-api.ts';
import { type Refusal, refusalDigest } from '#lib/auth/refusal-digest.ts';
import { fail, type Problem } from '#lib/core/problem.ts';
import { mayBeOutdated, toActionFailure } from './to-action-failure.ts';

const OTHERWISE = 'Hone did not respond. Try again.';
/** An error as the browser receives it from an action: only its digest is kept. */
const asSent = (refusal: Refusal) => Object.assign(new Error('An error occurred'), { digest: refusalDigest(refusal) });

test.each<[string, unknown, string, string]>([
  ['an expired session', asSent({ kind: 'unauthorized' }), 'unauthorized', SESSION_ENDED],
  [
    'a role that is too low',
    asSent({ kind: 'forbidden', roles: { needed: 'editor', held: 'viewer' } }),
    'forbidden',
    'This requires the role editor. Your role is viewer. Ask an owner to change it.',
  ],
  [
    'an action for owners, called by an editor',
    asSent({ kind: 'forbidden', roles: { needed: 'owner', held: 'editor' } }),
    'forbidden',
    'This requires the role owner. Your role is editor. Ask an owner to change it.',
  ],
  [
    'another rejection',
    asSent({ kind: 'forbidden', roles: null }),
    'forbidden',
    'You no longer have permission to do this.',
  ],
  ['unknown roles', { digest: 'HONE_FORBIDDEN;king;pawn' }, 'forbidden', 'You no longer have permission to do this.'],
  [
    'too many requests',
    asSent({ kind: 'rate_limited' }),
    'rate_limited',
    'Too many requests. Nothing was changed. Wait a minute, then try again.',
  ],
  ['a bug', { digest: '2338294' }, 'unavailable', OTHERWISE],
  ['an unknown error code with a known prefix', { digest: 'HONE_FORBIDDENLY' }, 'unavailable', OTHERWISE],
  ['a broken connection', new TypeError('Failed to fetch'), 'unavailable', OTHERWISE],
  ['no response', undefined, 'unavailable', OTHERWISE],
  [
    'an action of an earlier version',
    Object.assign(new Error('not found'), { name: 'UnrecognizedActionError' }),
    'conflict',
    'Hone was updated after you opened this page. Nothing was stored. Copy your input, reload the page, then send it again.',
  ],
])('%s', (_name, error, code, message) => {
  expect(toActionFailure(error, OTHERWISE)).toEqual({ ok: false, problem: { code, message, field: null } });
});

test.each<[Problem['code'], boolean]>([
  ['invalid', true],
  ['not_found', true],
  ['conflict', true],
  ['unauthorized', false],
  ['forbidden', false],
  ['rate_limited', false],
  ['unavailable', false],
])('a problem %s may be due to an outdated page: %s', (code, expected) => {
  expect(mayBeOutdated(fail(code, 'Refused.').problem)).toBe(expected);
});
