import { expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '#lib/audit/schema.ts';
import { ACT_LABELS, actLabel, changeLabel, subjectLabel } from './audit-labels.ts';

test.each([
  ['done', 'changed_role', 'changed the role of'],
  ['refused', 'reviewed', 'was refused: reviewed'],
  ['refused', 'entered', 'was refused'],
] as const)('labels %s %s as “%s”', (outcome, act, words) => {
  expect(actLabel({ act, outcome })).toBe(words);
});

test('every action has a unique label', () => {
  expect(new Set(Object.values(ACT_LABELS)).size).toBe(AUDIT_ACTIONS.length);
});

test.each([
  ['decided', { kind: 'run', id: 'r1', name: 'Sums' }, { kind: 'a run', name: 'Sums', href: '/runs/r1' }],
  ['decided', { kind: 'run', id: null, name: 'Sums' }, { kind: 'a run', name: 'Sums', href: null }],
  [
    'decided',
    { kind: 'prompt', id: null, name: 'a/b?' },
    { kind: 'a prompt', name: 'a/b?', href: '/prompts/a%2Fb%3F' },
  ],
  [
    'decided',
    { kind: 'entry', id: 'page /settings', name: 'page /settings' },
    { kind: '', name: 'page /settings', href: null },
  ],
  ['revoked', { kind: 'session', id: null, name: 'Bob' }, { kind: 'a session of', name: 'Bob', href: null }],
  ['signed_in', { kind: 'session', id: null, name: null }, { kind: '', name: '', href: null }],
  ['invited', { kind: 'invitation', id: 'i1', name: 'Bob' }, { kind: '', name: 'Bob', href: '/settings/team' }],
] as const)('labels the subject of %s %j and links to it', (act, subject, words) => {
  expect(subjectLabel({ act, subject })).toEqual(words);
});

test.each([
  [
    { before: 'editor', after: 'reviewer' },
    { before: 'editor', after: 'reviewer', rest: [] },
  ],
  [
    { sessionsEnded: 2, on: true, reason: null },
    { before: null, after: null, rest: ['sessions ended: 2', 'on: yes'] },
  ],
  [
    { expiresAt: '2027-02-25T16:07:40.772Z' },
    { before: null, after: null, rest: ['expires at: 25 Feb 2027, 16:07 UTC'] },
  ],
  [{ message: '2026-13-45T99:99:99Z' }, { before: null, after: null, rest: ['message: 2026-13-45T99:99:99Z'] }],
  [{ after: 'alone' }, { before: null, after: null, rest: ['after: alone'] }],
] as const)('labels the change %j', (change, words) => {
  expect(changeLabel(change)).toEqual(words);
});
