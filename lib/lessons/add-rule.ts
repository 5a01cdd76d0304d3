import { DEFAULT_INSTRUCTIONS } from '#lib/core/prompts/task-text.ts';
import { type PromptRule, ruleText } from './rule-text.ts';

/**
 * Instructions with a rule or playbook at their end, as they will stand; null where they hold it already. What was there stays word
 * for word; where nothing was, the default that was in effect is written out, so that it stays in effect.
 */
export function withRule(instructions: string, rule: PromptRule): string | null {
  const added = ruleText(rule);
  if (instructions.includes(added)) return null;
  const before = instructions.trim() === '' ? DEFAULT_INSTRUCTIONS : instructions.trimEnd();
  return `${before}\n\n${added}`;
}
