import type { McpServerView } from './mcp-server-record.ts';
import type { StoredMcpServer } from './stored-mcp-servers.ts';
import type { ServerUse } from './tool-use.ts';

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
