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
