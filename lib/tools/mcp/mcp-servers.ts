import type { Client } from '@modelcontextprotocol/client';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import type { ToolAnswer } from '../toolbox.ts';
import { connectMcp } from './connect-mcp.ts';
import { isForgottenSession, mcpProblem } from './mcp-problem.ts';
import type { McpListing, McpProblem, McpTarget } from './mcp-target.ts';
import { readMcpAnswer } from './read-mcp-answer.ts';
import { readMcpTools } from './read-mcp-tools.ts';
import { withoutSecrets } from './without-secrets.ts';

/** The MCP servers that this process speaks with: one session each, kept between uses. */
export type McpServers = {
  /** Asks a server for its tools, in a session of its own: what is kept says nothing of whether it can be reached. */
  list(target: McpTarget, signal: AbortSignal): Promise<McpListing | McpProblem>;
  /** Uses a tool by the server's own name for it. Does not throw for what the server does. */
  use(target: McpTarget, tool: string, given: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer>;
  /** Ends all sessions, and the programs that were started. */
  close(): Promise<void>;
};

/** A session that nobody used for so long is ended, in milliseconds. */
const IDLE_MS = 10 * 60_000;

type Session = { target: string; client: Promise<Client>; idle: NodeJS.Timeout };

export function mcpServers(options: { rules: AddressRules; resolve?: Resolve; idleMs?: number }): McpServers {
  const { idleMs = IDLE_MS, ...addresses } = options;
  const sessions = new Map<string, Session>();

  function end(name: string, session: Session): Promise<void> {
    clearTimeout(session.idle);
    if (sessions.get(name) === session) sessions.delete(name);
    return session.client.then((client) => client.close()).catch(() => undefined);
  }

  /** Opens a session with a server, or gives the one that is open; of a target that was changed a new one. */
  function sessionOf(target: McpTarget): Session {
    const key = JSON.stringify(target);
    const open = sessions.get(target.name);
    if (open?.target === key) {
      open.idle.refresh();
      return open;
    }
    if (open !== undefined) void end(target.name, open);
    const { timeoutMs } = target;
    // No single use may call off the session that others wait for too.
    const client = connectMcp(target, { ...addresses, timeoutMs, signal: AbortSignal.timeout(timeoutMs) });
    const idle = setTimeout(() => void end(target.name, session), idleMs).unref();
    const session: Session = { target: key, client, idle };
    sessions.set(target.name, session);
    client.then(
      (opened) => {
        opened.onclose = () => void end(target.name, session);
      },
      () => end(target.name, session),
    );
    return session;
  }

  async function requestOnce(
    session: Session,
    target: McpTarget,
    tool: string,
    given: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const client = await session.client;
    const result = await client.callTool({ name: tool, arguments: given }, { signal, timeout: target.timeoutMs });
    return readMcpAnswer(result);
  }

  return {
    async list(target, signal) {
      const { timeoutMs } = target;
      let client: Client | null = null;
      try {
        client = await connectMcp(target, { ...addresses, timeoutMs, signal });
        const { tools } = await client.listTools(undefined, { signal, timeout: timeoutMs, cacheMode: 'bypass' });
        const version = client.getServerVersion();
        return withoutSecrets(target, {
          ok: true,
          title: short(version?.title ?? version?.name ?? ''),
          version: short(version?.version ?? ''),
          protocol: client.getNegotiatedProtocolVersion() ?? '',
          ...(await readMcpTools(target.name, tools)),
        });
      } catch (error) {
        return withoutSecrets(target, mcpProblem(target, error));
      } finally {
        await client?.close().catch(() => undefined);
      }
    },

    async use(target, tool, given, signal) {
      try {
        const session = sessionOf(target);
        return withoutSecrets(
          target,
          await requestOnce(session, target, tool, given, signal).catch(async (error: unknown) => {
            // A server that was started anew knows no old session, and has not looked at what was asked in it.
            if (!isForgottenSession(error)) throw error;
            await end(target.name, session);
            return requestOnce(sessionOf(target), target, tool, given, signal);
          }),
        );
      } catch (error) {
        const { message } = mcpProblem(target, error);
        return withoutSecrets(target, { status: 'failed', text: `The MCP server ${target.name} ${message}` });
      }
    },

    async close() {
      await Promise.all([...sessions].map(([name, session]) => end(name, session)));
    },
  };
}

function short(text: string): string {
  return text.slice(0, 100).replaceAll('\u0000', '\uFFFD').toWellFormed();
}
