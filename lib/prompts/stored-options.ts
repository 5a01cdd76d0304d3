import { type PromptOptions, packOptions, promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { NO_OPTIONS } from './prompt-body.ts';

/** Tools and response schema as columns. Null: none. */
export function optionColumns(options: PromptOptions) {
  const { tools, responseSchema } = packOptions(cleanJson(options));
  return {
    tools: tools.length === 0 ? Prisma.DbNull : tools,
    responseSchema: responseSchema === null ? Prisma.DbNull : responseSchema,
  };
}

/** Tools and response schema out of their columns. */
export function optionsOf({ tools, responseSchema }: { tools: unknown; responseSchema: unknown }): PromptOptions {
  if (tools === null && responseSchema === null) return NO_OPTIONS;
  return promptOptionsSchema.parse({ tools: tools ?? [], responseSchema });
}
