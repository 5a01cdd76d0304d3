import { DEFAULT_INSTRUCTIONS } from '#lib/core/prompts/task-text.ts';
import { type PromptRule, ruleText } from './rule-text.ts';

/**
 * Appends a rule or playbook to instructions. Returns null if they already contain it. Existing text is kept unchanged. If there was none,
 * the default is written out first, so that it stays in effect.
 */
export function withRule(instructions: string, rule: PromptRule): string | null {
  const added = ruleText(rule);
  if (instructions.includes(added)) return null;
  const before = instructions.trim() === '' ? DEFAULT_INSTRUCTIONS : instructions.trimEnd();
  return `${before}\n\n${added}`;
}
