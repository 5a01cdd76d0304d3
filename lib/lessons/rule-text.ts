/** Lesson that can become part of a generator's instructions: a rule to follow always, or a procedure of steps. */
export type PromptRule = { kind: 'principle' | 'procedure'; text: string };

/** Formats a rule or procedure for a prompt. */
export function ruleText({ kind, text }: PromptRule): string {
  switch (kind) {
    case 'principle':
      return `Rule: ${text.trim()}`;
    case 'procedure':
      return `Playbook, to be followed where it applies:\n${text.trim()}`;
  }
}
