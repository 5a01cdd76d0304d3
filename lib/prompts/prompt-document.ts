import type { PromptBody } from './prompt-body.ts';

/** A prompt with its tools and response schema as one text, to be compared with another one line by line. */
export function promptDocument({ text, tools, responseSchema }: PromptBody): string {
  return [
    text,
    ...(tools.length === 0 ? [] : [`Tools:\n${JSON.stringify(tools, null, 2)}`]),
    ...(responseSchema === null ? [] : [`Response schema:\n${JSON.stringify(responseSchema, null, 2)}`]),
  ].join('\n\n');
}
