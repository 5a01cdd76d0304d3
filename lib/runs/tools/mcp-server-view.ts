import type { StoredMcpServer } from '#lib/db/mcp-servers.ts';
import type { ServerUse } from '#lib/db/tool-use.ts';
import type { McpServerView } from '#lib/reflection/agents/mcp-server-view.ts';

/** A server as people see it, with the experiments whose agents use its tools. */
export function mcpServerView(server: StoredMcpServer, usedBy: ServerUse[] = []): McpServerView {
  const { name, kind, url, command, headerNames, timeoutMs, tools, test, testedAt, createdAt, updatedAt } = server;
  return {
    name,
    kind,
    url,
    command,
    headers: headerNames,
    timeoutMs,
    tools,
    test,
    testedAt: testedAt?.toISOString() ?? null,
    usedBy,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
