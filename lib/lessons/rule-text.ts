/** A lesson that may become part of a generator's instructions: a rule to be followed always, or a playbook of steps. */
export type PromptRule = { kind: 'principle' | 'procedure'; text: string };

/** How a rule or playbook reads in a prompt. */
export function ruleText({ kind, text }: PromptRule): string {
  switch (kind) {
    case 'principle':
      return `Rule: ${text.trim()}`;
    case 'procedure':
      return `Playbook, to be followed where it applies:\n${text.trim()}`;
  }
}
