import {
  Client,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JsonSchemaValidator,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { DEFAULT_INHERITED_ENV_VARS, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { guardedFetch } from '#lib/outgoing/guarded-fetch.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { isolateProgram } from '#lib/system/isolate-program.ts';

/** Code of a synthetic error response: the stream of a request ended before its response arrived. */
export const STREAM_ENDED = -32_099;

/**
 * Streamable HTTP transport on which a request fails immediately if its stream breaks. The SDK's own transport would wait for the timeout.
 */
class HttpTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options: TransportSendOptions = {}): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) return super.send(message, options);
    const { id } = message;
    return super.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options.onRequestStreamEnd?.();
        // If the response has arrived, this one is ignored.
        this.onmessage?.({ jsonrpc: '2.0', id, error: { code: STREAM_ENDED, message: 'the stream ended' } });
      },
    });
  }
}

/**
 * Connection settings of an MCP server. `timeoutMs` applies to one tool use. `headers` are sent with every request and may contain keys.
 */
export type McpTarget = { name: string; timeoutMs: number } & (
  | { kind: 'http'; url: string; headers: Record<string, string> }
  | { kind: 'stdio'; command: string; args: string[] }
);

/** The reason a server could not be used. `message` completes "The MCP server NAME …", `remedy` is the recommended action. */
export type McpProblem = { ok: false; message: string; remedy: string };

/**
 * A tool listed by a server, sanitized and within size limits: its `name` for models, its original name, and a JSON Schema of an object.
 * `note` describes the changes that were needed.
 */
export type ListedTool = {
  name: string;
  original: string;
  description: string;
  parameters: Record<string, unknown>;
  note: string | null;
};

/** A server's tool listing. `leftOut` describes the tools that cannot be used, with the reasons. */
export type McpListing = {
  ok: true;
  title: string;
  version: string;
  protocol: string;
  tools: ListedTool[];
  leftOut: string[];
};

type ConnectOptions = {
  rules: AddressRules;
  resolve?: Resolve | undefined;
  timeoutMs: number;
  signal: AbortSignal;
  /** Receives what a program writes to its error output. Without it, the error output is discarded. */
  onErrorOutput?: (text: string) => void;
};

/** Maximum size of a response in bytes, also from a program. */
const MAX_RESPONSE_BYTES = 4_000_000;
const MAX_TOOL_LIST_PAGES = 20;
/** Time for which a program may leave the handshake of the newest protocol unanswered before the old one is tried, in milliseconds. */
const STDIO_PROBE_MS = 3_000;

/**
 * Connects to an MCP server with the newest protocol it supports. Over HTTP the address is checked at every connection, and redirects are
 * not followed, because headers may contain keys. A program only gets PATH and HOME as environment, and is isolated from Hone's processes
 * if the system supports that.
 */
export async function connectMcp(target: McpTarget, options: ConnectOptions): Promise<Client> {
  const { timeoutMs, signal } = options;
  const client = new Client(
    { name: 'hone', title: 'Hone', version: '1' },
    {
      versionNegotiation: {
        mode: 'auto',
        ...(target.kind === 'stdio' ? { probe: { timeoutMs: Math.min(STDIO_PROBE_MS, timeoutMs) } } : {}),
      },
      listMaxPages: MAX_TOOL_LIST_PAGES,
      // Untrusted schemas are not compiled. Results need no validation, because they are only shown to the model.
      jsonSchemaValidator: { getValidator: <Value>(): JsonSchemaValidator<Value> => accepted<Value> },
    },
  );
  // Connection errors are ignored, because a failed tool use has its own error.
  client.onerror = () => undefined;
  await client.connect(transportOf(target, options), { timeout: timeoutMs, signal });
  return client;
}

function accepted<Value>(value: unknown): { valid: true; data: Value; errorMessage: undefined };
function accepted(value: unknown) {
  return { valid: true, data: value, errorMessage: undefined };
}

function transportOf(target: McpTarget, { rules, resolve, onErrorOutput }: ConnectOptions): Transport {
  switch (target.kind) {
    case 'http':
      return new HttpTransport(new URL(target.url), {
        requestInit: { headers: target.headers, redirect: 'error' },
        fetch: guardedFetch({ rules, resolve, maxBytes: MAX_RESPONSE_BYTES }),
        reconnectionOptions: {
          maxRetries: 0,
          initialReconnectionDelay: 1_000,
          maxReconnectionDelay: 1_000,
          reconnectionDelayGrowFactor: 1,
        },
      });
    case 'stdio': {
      const transport = new StdioClientTransport({
        ...isolateProgram(target.command, target.args, EMPTIED),
        stderr: onErrorOutput === undefined ? 'ignore' : 'pipe',
        maxBufferSize: MAX_RESPONSE_BYTES,
      });
      transport.stderr?.on('data', (piece) => onErrorOutput?.(String(piece)));
      return transport;
    }
  }
}

/** Variables that a program cannot start without: these two on POSIX, and the system paths on Windows. */
const KEPT =
  /^(?:PATH|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEM\w*|PROGRAMFILES|PROCESSOR\w*|TEMP)$/i;
const EMPTIED = Object.fromEntries(
  DEFAULT_INHERITED_ENV_VARS.filter((name) => !KEPT.test(name)).map((name) => [name, '']),
);
