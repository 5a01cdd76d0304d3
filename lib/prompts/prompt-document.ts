import type { PromptBody } from './prompt-body.ts';

/** Formats a prompt with its tools and response schema as one text for line-by-line comparison. */
export function promptDocument({ text, tools, responseSchema }: PromptBody): string {
  return [
    text,
    ...(tools.length === 0 ? [] : [`Tools:\n${JSON.stringify(tools, null, 2)}`]),
    ...(responseSchema === null ? [] : [`Response schema:\n${JSON.stringify(responseSchema, null, 2)}`]),
  ].join('\n\n');
}
