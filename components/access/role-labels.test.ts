import { expect, test } from 'vitest';
import type { Role } from '#lib/auth/role.ts';
import { notYours } from './role-labels.ts';

test.each<[Role, Role, string]>([
  ['owner', 'editor', 'This is for owners; you are an editor.'],
  ['editor', 'reviewer', 'This is for editors and owners; you are a reviewer.'],
  ['reviewer', 'viewer', 'This is for reviewers, editors and owners; you are a viewer.'],
])('what is for %s and above says so to who is %s', (required, held, words) => {
  expect(notYours(required, held)).toBe(words);
});
