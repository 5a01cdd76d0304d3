import type { AppContext } from '#lib/context/app-context.ts';
import { sealHeaders, unsealHeaders } from '#lib/system/sealed-headers.ts';
import type { McpProblem, McpTarget } from '#lib/tools/mcp/connect-mcp.ts';
import type { StoredMcpServer } from './stored-mcp-servers.ts';

type Secret = Pick<AppContext, 'secret'>;

/** Headers of a server as they are stored. */
export function sealedHeaders(
  { secret }: Secret,
  name: string,
  headers: Record<string, string>,
): Pick<StoredMcpServer, 'sealedHeaders' | 'headerNames'> {
  return sealHeaders(secret, boundTo(name), headers);
}

/** No provider's name holds a space: the headers of a server never open as a provider's key. */
function boundTo(name: string): string {
  return `mcp server ${name}`;
}

/** How to reach a stored server, or why it cannot be: a program must still be one that the operator lets be started. */
export function mcpTargetOf(
  context: Pick<AppContext, 'secret' | 'mcpCommands'>,
  server: StoredMcpServer,
): { ok: true; target: McpTarget } | McpProblem {
  const { name, kind, url, timeoutMs } = server;
  switch (kind) {
    case 'http': {
      const headers = unsealHeaders(context.secret, boundTo(name), server.sealedHeaders);
      if (headers === null)
        return {
          ok: false,
          message: 'has headers that were encrypted with another secret of this installation.',
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
          message: `is a program, ${JSON.stringify(server.command)}, that this installation does not allow.`,
          remedy: 'Ask the operator to add it to HONE_MCP_COMMANDS.',
        };
      return { ok: true, target: { name, timeoutMs, kind, command, args } };
    }
  }
}

/** A program that the operator lets be started; null where it is none. */
export function commandOf({ mcpCommands }: Pick<AppContext, 'mcpCommands'>, name: string): string[] | null {
  return Object.hasOwn(mcpCommands, name) ? (mcpCommands[name] ?? null) : null;
}
