import { Client, type JsonSchemaValidator, type Transport } from '@modelcontextprotocol/client';
import { DEFAULT_INHERITED_ENV_VARS, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { guardedFetch } from '#lib/outgoing/guarded-fetch.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { isolateProgram } from '#lib/system/isolate-program.ts';
import { HttpTransport } from './http-transport.ts';
import type { McpTarget } from './mcp-target.ts';

export type ConnectOptions = {
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
