import { NO_OPTIONS, type PromptOptions, promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson } from '#lib/database/query-values.ts';

/** Tools and response schema as columns; null stands for none. */
export function optionColumns({ tools, responseSchema }: PromptOptions) {
  return {
    tools: tools.length === 0 ? Prisma.DbNull : cleanJson(tools),
    responseSchema: responseSchema === null ? Prisma.DbNull : cleanJson(responseSchema),
  };
}

/** Tools and response schema out of their columns. */
export function optionsOf({ tools, responseSchema }: { tools: unknown; responseSchema: unknown }): PromptOptions {
  if (tools === null && responseSchema === null) return NO_OPTIONS;
  return promptOptionsSchema.parse({ tools: tools ?? [], responseSchema });
}
