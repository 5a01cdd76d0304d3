import type { AppContext } from '#lib/context/app-context.ts';
import { sealHeaders, unsealHeaders } from '#lib/system/sealed-headers.ts';
import type { McpProblem, McpTarget } from '#lib/tools/mcp/connect-mcp.ts';
import type { StoredMcpServer } from './stored-mcp-servers.ts';

type Secret = Pick<AppContext, 'secret'>;

/** Encrypts the headers of a server for storage. */
export function sealedHeaders(
  { secret }: Secret,
  name: string,
  headers: Record<string, string>,
): Pick<StoredMcpServer, 'sealedHeaders' | 'headerNames'> {
  return sealHeaders(secret, boundTo(name), headers);
}

/** Provider names contain no spaces, so the headers of a server can never be decrypted as a provider's key. */
function boundTo(name: string): string {
  return `mcp server ${name}`;
}

/**
 * Returns the connection target of a stored server, or the reason why it is unusable. A program must still be permitted by the operator.
 */
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

/** Returns the command of a program that the operator permits, or null. */
export function commandOf({ mcpCommands }: Pick<AppContext, 'mcpCommands'>, name: string): string[] | null {
  return Object.hasOwn(mcpCommands, name) ? (mcpCommands[name] ?? null) : null;
}
