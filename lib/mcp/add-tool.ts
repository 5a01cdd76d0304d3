import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Actor, TokenScope } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Result } from '#lib/core/problem.ts';

/** Who uses Hone's tools, and what they work with. */
export type Asker = {
  context: AppContext;
  actor: Actor;
  /** Where people reach Hone, without a slash at the end. */
  address: string;
  /** Writes a bug to the log and answers the id that it stands under. */
  logBug(error: unknown): string;
};

type HoneTool = {
  name: string;
  title: string;
  description: string;
  scope: TokenScope;
  annotations: ToolAnnotations;
  input: z.ZodType<object>;
  /** Checks its input itself, as every use case does. */
  use(asker: Asker, input: unknown): Promise<Result<Record<string, unknown>>>;
};

/**
 * Makes a tool of Hone known to a server. A token without its scope, and what the tool refuses, is told as a failed result, so that
 * the agent reads what to do; what is thrown is a bug and told by its id alone.
 */
export function addTool(server: McpServer, asker: Asker, tool: HoneTool): void {
  const { name, title, description, annotations, input, scope } = tool;
  server.registerTool(name, { title, description, annotations, inputSchema: input }, async (given: unknown) => {
    if (asker.actor.scopes?.includes(scope) !== true)
      return failed(`The tool ${name} needs an API token with the scope ${scope}.`);
    try {
      const result = await tool.use(asker, given);
      if (!result.ok) return failed(result.problem.message);
      return {
        content: [{ type: 'text', text: JSON.stringify(result.value, null, 1) }],
        structuredContent: result.value,
      };
    } catch (error) {
      return failed(`An internal error occurred. Look for ${asker.logBug(error)} in the log.`);
    }
  });
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
