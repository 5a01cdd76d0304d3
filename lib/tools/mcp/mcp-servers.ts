import {
  type CallToolResult,
  type Client,
  type ContentBlock,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { isRecord } from '#lib/core/is-record.ts';
import { type AddressRules, RefusedAddressError, type Resolve } from '#lib/outgoing/outgoing-address.ts';
import { redactSecrets } from '#lib/providers/call/redact-secrets.ts';
import type { ToolAnswer } from '#lib/tools/toolbox.ts';
import { connectMcp, type McpListing, type McpProblem, type McpTarget, STREAM_ENDED } from './connect-mcp.ts';
import { readMcpTools } from './read-mcp-tools.ts';

/** A server's answer as text: what is no text is named; structured content stands for an answer without any. */
function readMcpAnswer({ content, structuredContent, isError }: CallToolResult): ToolAnswer {
  const parts = content.map(textOf);
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)];
  const text = (parts.length > 0 ? parts : structured).join('\n');
  const status = isError === true ? 'failed' : 'ok';
  if (text.trim() !== '') return { status, text };
  return { status, text: status === 'ok' ? 'The tool answered with nothing.' : 'The tool failed and gave no reason.' };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, not shown]`;
    case 'resource_link':
      return `[link to ${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : `[resource ${block.resource.uri}, ${block.resource.mimeType ?? 'of unknown type'}, not shown]`;
  }
}

/** Parts of a header shorter than this are words, and stay. */
const SHORTEST = 6;

/** What came of a server with the values of its headers blotted out in every text: it may send back what it was sent. */
function withoutSecrets<Value>(target: McpTarget, value: Value): Value;
function withoutSecrets(target: McpTarget, value: unknown): unknown {
  const secrets = target.kind === 'http' ? Object.values(target.headers).flatMap(partsOf) : [];
  return blotted(
    value,
    [...new Set(secrets)].toSorted((one, other) => other.length - one.length),
  );
}

/** The whole value, and what stands behind a word such as Bearer. */
function partsOf(value: string): string[] {
  return [value, ...value.split(/[\s,;=]+/)].filter((part) => part.length >= SHORTEST);
}

function blotted(value: unknown, secrets: string[]): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => redactSecrets(text, secret), value);
  if (Array.isArray(value)) return value.map((one: unknown) => blotted(one, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [String(blotted(key, secrets)), blotted(member, secrets)]),
  );
}

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

/** Of what a server or the network says, in characters. */
const MOST_SAID = 300;

/** Why a server was of no use, in words. What it sent itself is short, and hostile. */
function mcpProblem(target: McpTarget, error: unknown): McpProblem {
  const refused = causeIn(error, (cause) => cause instanceof RefusedAddressError);
  if (refused !== null)
    return problem(
      `was not called: its address ${refused.message}.`,
      'Change its URL, or ask the operator to add the host to HONE_ALLOWED_PRIVATE_HOSTS.',
    );
  if (error instanceof ProtocolError && error.code === STREAM_ENDED) return brokeOff(target);
  if (error instanceof ProtocolError)
    return problem(`answered with an error: ${said(error.message)}`, 'Check the log of the server.');
  if (error instanceof UnauthorizedError) return unauthorized();
  if (error instanceof SdkHttpError) return httpProblem(error.status);
  if (error instanceof SdkError) return sdkProblem(target, error);
  if (isTimeout(error)) return tooSlow(target);
  if (codeOf(error) === 'ENOENT' && target.kind === 'stdio')
    return problem(
      'could not be started: there is no such program.',
      'Check HONE_MCP_COMMANDS, and that it is installed.',
    );
  return unreachable(target, error);
}

/** Whether a server says that it does not know the session, as one that was started anew does: the request was not looked at. */
function isForgottenSession(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404;
}

function httpProblem(status: number): McpProblem {
  if (status === 401 || status === 403) return unauthorized(status);
  if (status >= 300 && status < 400)
    return problem(
      `answered with a redirect (${status}), which is not followed.`,
      'If you trust the new address, enter it as the URL.',
    );
  if (status === 404 || status === 405)
    return problem(
      `answered with status ${status}.`,
      'Check the path of the URL: it is often /mcp. The server must use Streamable HTTP.',
    );
  return problem(
    `answered with status ${status}.`,
    status >= 500 ? 'Check the log of the server.' : 'Check that the server uses Streamable HTTP.',
  );
}

function sdkProblem(target: McpTarget, error: SdkError): McpProblem {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return tooSlow(target);
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.SendFailed:
      return brokeOff(target);
    default: {
      // The negotiation of protocols puts what the network said behind an error of its own.
      const cause = causeIn(error, (one) => codeOf(one) !== null);
      if (cause !== null) return unreachable(target, cause);
      return problem(
        `sent a response that is not valid MCP: ${said(error.message)}`,
        'Check that the URL is that of an MCP server.',
      );
    }
  }
}

function brokeOff(target: McpTarget): McpProblem {
  return target.kind === 'stdio'
    ? problem('ended before it answered.', 'Run its command by hand to see what it says.')
    : problem('closed the connection before it answered.', 'Check that the server runs, and check its log.');
}

function unauthorized(status = 401): McpProblem {
  return problem(
    `refused access (status ${status}).`,
    'Add the header that it requires, such as Authorization: Bearer and a token.',
  );
}

function tooSlow({ timeoutMs }: McpTarget): McpProblem {
  return problem(`did not answer within ${timeoutMs / 1000} seconds.`, 'Check that it runs, or raise its timeout.');
}

function unreachable(target: McpTarget, error: unknown): McpProblem {
  const what = said(error instanceof Error && error.message !== '' ? error.message : 'the connection failed');
  return target.kind === 'stdio'
    ? problem(`could not be used: ${what}`, 'Run its command by hand to see what it says.')
    : problem(`could not be reached: ${what}`, 'Check that the server runs and that the URL is right.');
}

function problem(message: string, remedy: string): McpProblem {
  return { ok: false, message, remedy };
}

function said(text: string): string {
  const short = text.replace(/\s+/g, ' ').trim().slice(0, MOST_SAID).toWellFormed();
  return /[.!?]$/.test(short) ? short : `${short}.`;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)
    ? error.code
    : null;
}

/** The first error that is meant among an error and what caused it. */
function causeIn(error: unknown, isMeant: (cause: Error) => boolean): Error | null {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (isMeant(cause)) return cause;
    const inData = cause instanceof SdkError && isRecord(cause.data) ? cause.data.cause : undefined;
    cause = cause.cause ?? inData;
  }
  return null;
}
