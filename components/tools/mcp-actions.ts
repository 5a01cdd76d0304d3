import type { Result } from '#lib/core/problem.ts';
import type { McpServerView, McpTest } from '#lib/mcp-servers/schema.ts';

/** What the page can do with MCP servers. */
export type McpActions = {
  add: (input: unknown) => Promise<Result<McpServerView>>;
  change: (name: string, input: unknown) => Promise<Result<McpServerView>>;
  remove: (name: string) => Promise<Result<unknown>>;
  test: (name: string) => Promise<Result<McpTest>>;
};
