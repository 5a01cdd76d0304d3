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
import { mapTexts } from '#lib/core/json-values.ts';
import { type AddressRules, RefusedAddressError, type Resolve } from '#lib/outgoing/outgoing-address.ts';
import { redactSecrets, storableText } from '#lib/providers/call/redact-secrets.ts';
import type { ToolAnswer } from '#lib/tools/toolbox.ts';
import { connectMcp, type McpListing, type McpProblem, type McpTarget, STREAM_ENDED } from './connect-mcp.ts';
import { readMcpTools } from './read-mcp-tools.ts';

/** Returns a server's result as text. Content that is not text is named. Structured content is used if there is no other content. */
function readMcpAnswer({ content, structuredContent, isError }: CallToolResult): ToolAnswer {
  const parts = content.map(textOf);
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)];
  const text = (parts.length > 0 ? parts : structured).join('\n');
  const status = isError === true ? 'failed' : 'ok';
  if (text.trim() !== '') return { status, text };
  return { status, text: status === 'ok' ? 'The tool returned an empty result.' : 'The tool failed without a reason.' };
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

/** Minimum length of a redacted header part. Shorter parts are ordinary words. */
const MIN_REDACTED_LENGTH = 6;

/** Returns a server's result with its header values redacted in every text, because the server may echo them. */
function withoutSecrets<Value>(target: McpTarget, value: Value): Value;
function withoutSecrets(target: McpTarget, value: unknown): unknown {
  const secrets = target.kind === 'http' ? Object.values(target.headers).flatMap(partsOf) : [];
  const longestFirst = [...new Set(secrets)].toSorted((one, other) => other.length - one.length);
  return mapTexts(value, (text) => longestFirst.reduce<string>(redactSecrets, text));
}

/** Returns the whole value and its parts, such as the token after Bearer. */
function partsOf(value: string): string[] {
  return [value, ...value.split(/[\s,;=]+/)].filter((part) => part.length >= MIN_REDACTED_LENGTH);
}

/** The MCP servers this process is connected to, with one reusable session each. */
export type McpServers = {
  /** Lists a server's tools in a separate session, because a kept session does not show that the server is reachable. */
  list(target: McpTarget, signal: AbortSignal): Promise<McpListing | McpProblem>;
  /** Calls a tool by the server's own name for it. Does not throw for errors of the server. */
  use(target: McpTarget, tool: string, given: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer>;
  /** Closes all sessions and ends the started programs. */
  close(): Promise<void>;
};

/** Time after which an unused session is closed, in milliseconds. */
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

  /** Returns the open session with a server, or opens one. A changed target gets a new session. */
  function sessionOf(target: McpTarget): Session {
    const key = JSON.stringify(target);
    const open = sessions.get(target.name);
    if (open?.target === key) {
      open.idle.refresh();
      return open;
    }
    if (open !== undefined) void end(target.name, open);
    const { timeoutMs } = target;
    // Uses a separate abort signal, so that no single tool use can abort a session that others wait for.
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
      let errorOutput = '';
      const onErrorOutput = (text: string) => {
        errorOutput = (errorOutput + text).slice(-MAX_ERROR_OUTPUT);
      };
      try {
        client = await connectMcp(target, { ...addresses, timeoutMs, signal, onErrorOutput });
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
        const found = mcpProblem(target, error);
        const reason = errorLine(errorOutput);
        if (target.kind !== 'stdio' || reason === '') return withoutSecrets(target, found);
        return { ...found, message: `${found.message.replace(/\.$/, '')}: ${formatServerMessage(reason)}` };
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
            // A restarted server has no old sessions and has not processed the request, so a retry is safe.
            if (!isUnknownSessionError(error)) throw error;
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
  return storableText(text.slice(0, 100));
}

/** Maximum length of a message from a server or the network, in characters. */
const MAX_MESSAGE_LENGTH = 300;

const MAX_ERROR_OUTPUT = 4_000;

/** Returns the line of a program's error output that names its error, else its last line. */
function errorLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => /\w*error\b/i.test(line)) ?? lines.at(-1) ?? '';
}

/** Returns the reason a server could not be used. Text from the server is short and untrusted. */
function mcpProblem(target: McpTarget, error: unknown): McpProblem {
  const refused = causeIn(error, (cause) => cause instanceof RefusedAddressError);
  if (refused !== null)
    return problem(
      `was not called: its address ${refused.message}.`,
      'Change its URL, or ask the operator to add the host to HONE_ALLOWED_PRIVATE_HOSTS.',
    );
  if (error instanceof ProtocolError && error.code === STREAM_ENDED) return createConnectionLostProblem(target);
  if (error instanceof ProtocolError)
    return problem(`responded with an error: ${formatServerMessage(error.message)}`, 'Check the log of the server.');
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

/** Returns true if a server reports an unknown session, for example after a restart. The request was then not processed. */
function isUnknownSessionError(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404;
}

function httpProblem(status: number): McpProblem {
  if (status === 401 || status === 403) return unauthorized(status);
  if (status >= 300 && status < 400)
    return problem(
      `responded with a redirect (${status}), which is not followed.`,
      'If you trust the new address, enter it as the URL.',
    );
  if (status === 404 || status === 405)
    return problem(
      `responded with status ${status}.`,
      'Check the path of the URL: it is often /mcp. The server must use Streamable HTTP.',
    );
  return problem(
    `responded with status ${status}.`,
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
      return createConnectionLostProblem(target);
    default: {
      // The protocol negotiation wraps the network error in another error.
      const cause = causeIn(error, (one) => codeOf(one) !== null);
      if (cause !== null) return unreachable(target, cause);
      return problem(
        `sent a response that is not valid MCP: ${formatServerMessage(error.message)}`,
        'Check that the URL is that of an MCP server.',
      );
    }
  }
}

function createConnectionLostProblem(target: McpTarget): McpProblem {
  return target.kind === 'stdio'
    ? problem('ended before it responded.', 'Run its command manually to see its output.')
    : problem('closed the connection before it responded.', 'Check that the server runs, and check its log.');
}

function unauthorized(status = 401): McpProblem {
  return problem(
    `refused access (status ${status}).`,
    'Add the header that it requires, such as Authorization: Bearer and a token.',
  );
}

function tooSlow({ timeoutMs }: McpTarget): McpProblem {
  return problem(`did not respond within ${timeoutMs / 1000} seconds.`, 'Check that it runs, or raise its timeout.');
}

function unreachable(target: McpTarget, error: unknown): McpProblem {
  const what = formatServerMessage(
    error instanceof Error && error.message !== '' ? error.message : 'the connection failed',
  );
  return target.kind === 'stdio'
    ? problem(`could not be used: ${what}`, 'Run its command manually to see its output.')
    : problem(`could not be reached: ${what}`, 'Check that the server runs and that the URL is right.');
}

function problem(message: string, remedy: string): McpProblem {
  return { ok: false, message, remedy };
}

function formatServerMessage(text: string): string {
  const shown = text.replaceAll('\u0000', '\uFFFD').replace(/\s+/g, ' ').trim();
  const short = redactSecrets(shown, null).slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
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

/** Returns the first matching error among an error and its causes. */
function causeIn(error: unknown, isMeant: (cause: Error) => boolean): Error | null {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (isMeant(cause)) return cause;
    const inData = cause instanceof SdkError && isRecord(cause.data) ? cause.data.cause : undefined;
    cause = cause.cause ?? inData;
  }
  return null;
}
