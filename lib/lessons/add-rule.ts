import { DEFAULT_INSTRUCTIONS } from '#lib/core/prompts/task-text.ts';

/** A lesson that may become part of a generator's instructions: a rule to be followed always, or a playbook of steps. */
export type PromptRule = { kind: 'principle' | 'procedure'; text: string };

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

/** How a rule or playbook reads in a prompt. */
export function ruleText({ kind, text }: PromptRule): string {
  switch (kind) {
    case 'principle':
      return `Rule: ${text.trim()}`;
    case 'procedure':
      return `Playbook, to be followed where it applies:\n${text.trim()}`;
  }
}
