import { expect, test } from 'vitest';
import type { Role } from '#lib/auth/role.ts';
import { roleRequiredLabel } from './role-labels.ts';

test.each<[Role, Role, string]>([
  ['owner', 'editor', 'Only owners can do this. You are an editor.'],
  ['editor', 'reviewer', 'Only editors and owners can do this. You are a reviewer.'],
  ['reviewer', 'viewer', 'Only reviewers, editors and owners can do this. You are a viewer.'],
])('the message for a function that requires the role %s, shown to the role %s', (required, held, words) => {
  expect(roleRequiredLabel(required, held)).toBe(words);
});
