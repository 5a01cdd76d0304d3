import type { PromptOptions } from '#lib/core/prompt-options.ts';

export const NO_OPTIONS: PromptOptions = { tools: [], responseSchema: null };

/** Text of a prompt, with its tools and response schema. */
export type PromptBody = PromptOptions & { text: string };

/** Returns true if a prompt has tools or a response schema. */
export function hasOptions({ tools, responseSchema }: PromptOptions): boolean {
  return tools.length > 0 || responseSchema !== null;
}

/** Returns true if two prompts have the same tools and response schema. */
export function hasSameOptions(one: PromptOptions, other: PromptOptions): boolean {
  return optionsKey(one) === optionsKey(other);
}

/** Returns true if two prompts have the same text, tools and response schema. */
export function isSamePrompt(one: PromptBody, other: PromptBody): boolean {
  return one.text === other.text && hasSameOptions(one, other);
}

/** Serializes tools and response schema for comparison. Empty if there are none. The order of keys matters. */
export function optionsKey({ tools, responseSchema }: PromptOptions): string {
  return hasOptions({ tools, responseSchema }) ? JSON.stringify([tools, responseSchema]) : '';
}
