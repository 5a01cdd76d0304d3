import { expect, test } from 'vitest';
import { DEFAULT_INSTRUCTIONS } from '#lib/core/prompts/task-text.ts';
import { withRule } from './add-rule.ts';
import type { PromptRule } from './rule-text.ts';

const RULE: PromptRule = { kind: 'principle', text: 'Always add an example.' };
const PLAYBOOK: PromptRule = { kind: 'procedure', text: 'Goal: a guide\nSteps: 1. Outline\n2. Write' };

test.each([
  {
    name: 'existing instructions are kept',
    before: 'Be brief.',
    rule: RULE,
    after: 'Be brief.\n\nRule: Always add an example.',
  },
  {
    name: 'the default instructions are kept if there are none',
    before: ' \n',
    rule: RULE,
    after: `${DEFAULT_INSTRUCTIONS}\n\nRule: Always add an example.`,
  },
  {
    name: 'a playbook is labelled',
    before: 'Be brief.\n',
    rule: PLAYBOOK,
    after: 'Be brief.\n\nPlaybook, to be followed where it applies:\nGoal: a guide\nSteps: 1. Outline\n2. Write',
  },
  { name: 'an existing rule is not added again', before: 'Rule: Always add an example.', rule: RULE, after: null },
])('$name', ({ before, rule, after }) => {
  expect(withRule(before, rule)).toBe(after);
});
