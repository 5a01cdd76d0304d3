import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Actor, TokenScope } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Result } from '#lib/core/problem.ts';

/** Caller of Hone's tools, with the dependencies of the tools. */
export type ToolCaller = {
  context: AppContext;
  actor: Actor;
  /** Base URL of Hone, without a trailing slash. */
  address: string;
  /** Logs a bug and returns its id. */
  logBug(error: unknown): string;
};

type HoneTool = {
  name: string;
  title: string;
  description: string;
  scope: TokenScope;
  annotations: ToolAnnotations;
  input: z.ZodType<object>;
  /** Validates its input, like every use case. */
  use(asker: ToolCaller, input: unknown): Promise<Result<Record<string, unknown>>>;
};

/**
 * Registers a tool of Hone with a server. A missing scope or a refusal is returned as a failed result, so that the agent can read how to
 * fix it. A thrown error is a bug and returned only as its id.
 */
export function addTool(server: McpServer, asker: ToolCaller, tool: HoneTool): void {
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
