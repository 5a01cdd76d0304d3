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

/** The code of an answer that stands for none: the stream of a request ended before it came. */
export const STREAM_ENDED = -32_099;

/** Streamable HTTP on which a request whose stream breaks off fails at once: the SDK's own would wait for its time-out. */
class HttpTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options: TransportSendOptions = {}): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) return super.send(message, options);
    const { id } = message;
    return super.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options.onRequestStreamEnd?.();
        // Where the answer had come, nobody waits for this one.
        this.onmessage?.({ jsonrpc: '2.0', id, error: { code: STREAM_ENDED, message: 'the stream ended' } });
      },
    });
  }
}

/** How to reach an MCP server. `timeoutMs` is for one use of a tool; `headers` are sent with every request and may hold keys. */
export type McpTarget = { name: string; timeoutMs: number } & (
  | { kind: 'http'; url: string; headers: Record<string, string> }
  | { kind: 'stdio'; command: string; args: string[] }
);

/** Why a server was of no use: `message` as the end of "The MCP server NAME …", `remedy` what a person can do. */
export type McpProblem = { ok: false; message: string; remedy: string };

/**
 * A tool as a server told of it, bounded and clean: its `name` for models, what the server calls it, and a JSON Schema of an object.
 * `note` says what was changed for it to be used.
 */
export type ListedTool = {
  name: string;
  original: string;
  description: string;
  parameters: Record<string, unknown>;
  note: string | null;
};

/** What a server answered when it was asked for its tools. `leftOut` says in words which of them cannot be used, and why. */
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
};

/** An answer is read up to this size, in bytes; a program's, too. */
const LARGEST_ANSWER = 4_000_000;
/** Pages that a list of tools may have. */
const MOST_PAGES = 20;
/** How long a program may say nothing to the newest protocol's greeting before it is greeted in the old way, in milliseconds. */
const STDIO_PROBE_MS = 3_000;

/**
 * Connects to an MCP server by the newest protocol it knows. Over HTTP the address is checked at every connection, and no redirect is
 * followed, for headers may hold keys. A program is started with PATH and HOME alone in its environment, apart from Hone's own processes
 * where the system can.
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
      listMaxPages: MOST_PAGES,
      // A stranger's schema is not compiled here, and what fits it is for the model to judge: an answer is only ever shown.
      jsonSchemaValidator: { getValidator: <Value>(): JsonSchemaValidator<Value> => accepted<Value> },
    },
  );
  // What the connection says by itself concerns nobody: a use that fails has its own error.
  client.onerror = () => undefined;
  await client.connect(transportOf(target, options), { timeout: timeoutMs, signal });
  return client;
}

function accepted<Value>(value: unknown): { valid: true; data: Value; errorMessage: undefined };
function accepted(value: unknown) {
  return { valid: true, data: value, errorMessage: undefined };
}

function transportOf(target: McpTarget, { rules, resolve }: ConnectOptions): Transport {
  switch (target.kind) {
    case 'http':
      return new HttpTransport(new URL(target.url), {
        requestInit: { headers: target.headers, redirect: 'error' },
        fetch: guardedFetch({ rules, resolve, maxBytes: LARGEST_ANSWER }),
        reconnectionOptions: {
          maxRetries: 0,
          initialReconnectionDelay: 1_000,
          maxReconnectionDelay: 1_000,
          reconnectionDelayGrowFactor: 1,
        },
      });
    case 'stdio':
      return new StdioClientTransport({
        ...isolateProgram(target.command, target.args, EMPTIED),
        stderr: 'ignore',
        maxBufferSize: LARGEST_ANSWER,
      });
  }
}

/** What a program cannot start without stays: of POSIX these two, of Windows the places of the system. */
const KEPT =
  /^(?:PATH|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEM\w*|PROGRAMFILES|PROCESSOR\w*|TEMP)$/i;
const EMPTIED = Object.fromEntries(
  DEFAULT_INHERITED_ENV_VARS.filter((name) => !KEPT.test(name)).map((name) => [name, '']),
);
