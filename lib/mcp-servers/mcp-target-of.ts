import type { AppContext } from '#lib/context/app-context.ts';
import type { McpProblem, McpTarget } from '#lib/tools/mcp/mcp-target.ts';
import { unsealedHeaders } from './sealed-headers.ts';
import type { StoredMcpServer } from './stored-mcp-servers.ts';

/** How to reach a stored server, or why it cannot be: a program must still be one that the operator lets be started. */
export function mcpTargetOf(
  context: Pick<AppContext, 'secret' | 'mcpCommands'>,
  server: StoredMcpServer,
): { ok: true; target: McpTarget } | McpProblem {
  const { name, kind, url, timeoutMs } = server;
  switch (kind) {
    case 'http': {
      const headers = unsealedHeaders(context, server);
      if (headers === null)
        return {
          ok: false,
          message: 'has headers that were sealed with another key of this installation.',
          remedy: 'Enter its headers again.',
        };
      return { ok: true, target: { name, timeoutMs, kind, url: url ?? '', headers } };
    }
    case 'stdio': {
      const allowed = commandOf(context, server.command ?? '');
      const [command, ...args] = allowed ?? [];
      if (command === undefined)
        return {
          ok: false,
          message: `is a program, ${JSON.stringify(server.command)}, that may not be started here.`,
          remedy: 'The operator names programs that may be started in HONE_MCP_COMMANDS.',
        };
      return { ok: true, target: { name, timeoutMs, kind, command, args } };
    }
  }
}

/** A program that the operator lets be started; null where it is none. */
export function commandOf({ mcpCommands }: Pick<AppContext, 'mcpCommands'>, name: string): string[] | null {
  return Object.hasOwn(mcpCommands, name) ? (mcpCommands[name] ?? null) : null;
}
