import type { PromptOptions } from '#lib/core/prompt-options.ts';

/** A tool while it is edited: its parameters as the JSON that is typed. `key` tells it from its neighbours. */
export type ToolDraft = { key: number; name: string; description: string; parameters: string };

/** A response schema while it is edited; without any text there is none. */
type SchemaDraft = { name: string; schema: string };

/** Tools and response schema of a prompt while they are edited. */
export type OptionsDraft = { tools: ToolDraft[]; responseSchema: SchemaDraft };

/** Tools and response schema ready to be edited. */
export function toOptionsDraft({ tools, responseSchema }: PromptOptions): OptionsDraft {
  return {
    tools: tools.map(({ name, description, parameters }, key) => ({
      ...{ key, name, description },
      parameters: JSON.stringify(parameters, null, 2),
    })),
    responseSchema: {
      name: responseSchema?.name ?? 'answer',
      schema: responseSchema === null ? '' : JSON.stringify(responseSchema.schema, null, 2),
    },
  };
}

/** What is sent to be stored. A text that is no JSON goes as it was typed, so that the answer can name it. */
export function fromOptionsDraft({ tools, responseSchema }: OptionsDraft): PromptOptions {
  const { name, schema } = responseSchema;
  const sent = {
    tools: tools.map(({ key: _, parameters, ...tool }) => ({ ...tool, parameters: readJson(parameters) })),
    responseSchema: schema.trim() === '' ? null : { name, schema: readJson(schema) },
  };
  // The server checks it.
  return sent as PromptOptions;
}

/** The value of a JSON text; the text itself if it is none. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
