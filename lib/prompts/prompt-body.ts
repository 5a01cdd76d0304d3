import type { PromptOptions } from '#lib/core/prompt-options.ts';

export const NO_OPTIONS: PromptOptions = { tools: [], responseSchema: null };

/** The text of a prompt, and what it is sent with. */
export type PromptBody = PromptOptions & { text: string };

/** Whether a prompt has tools or a response schema. */
export function hasOptions({ tools, responseSchema }: PromptOptions): boolean {
  return tools.length > 0 || responseSchema !== null;
}

/** Whether two prompts are sent with the same tools and response schema. */
export function hasSameOptions(one: PromptOptions, other: PromptOptions): boolean {
  return optionsKey(one) === optionsKey(other);
}

/** Whether two prompts are the same in all that is sent. */
export function isSamePrompt(one: PromptBody, other: PromptBody): boolean {
  return one.text === other.text && hasSameOptions(one, other);
}

/** Tools and response schema as a text to compare by; empty if there are none. The order of members counts. */
export function optionsKey({ tools, responseSchema }: PromptOptions): string {
  return hasOptions({ tools, responseSchema }) ? JSON.stringify([tools, responseSchema]) : '';
}
