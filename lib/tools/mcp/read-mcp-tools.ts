import type { Tool } from '@modelcontextprotocol/client';
import { isRecord } from '#lib/core/is-record.ts';
import { schemaProblem } from '#lib/evaluators/check-schema.ts';
import { schemaLimitProblem } from '#lib/evaluators/schema-limits.ts';
import { storableText } from '#lib/providers/call/redact-secrets.ts';
import type { ListedTool } from './connect-mcp.ts';

/** Maximum number of tools per server. */
const MAX_TOOLS = 200;
/** Maximum length of a tool name that providers accept. */
const MAX_TOOL_NAME_LENGTH = 64;
/** Maximum length of a tool description that providers accept, in characters. */
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_SCHEMA_LENGTH = 20_000;
/** Maximum total time for checking the schemas of one server, in milliseconds, because other work waits for the same threads. */
const MAX_SCHEMA_CHECK_MS = 20_000;
const MAX_SHOWN_NAME_LENGTH = 80;

/**
 * Returns a server's tools in the form shown to models. They are named `server__tool` with characters that all providers accept.
 * Descriptions are truncated, and an unusable schema is replaced by that of any object. All input is untrusted.
 */
export async function readMcpTools(server: string, tools: Tool[]): Promise<{ tools: ListedTool[]; leftOut: string[] }> {
  const listed = new Map<string, ListedTool>();
  const leftOut: string[] = [];
  const until = performance.now() + MAX_SCHEMA_CHECK_MS;
  for (const tool of tools.slice(0, MAX_TOOLS)) {
    const name = `${server}__${tool.name.replace(/[^a-zA-Z0-9_-]/g, '_')}`;
    if (tool.name.length > 200 || name.length > MAX_TOOL_NAME_LENGTH)
      leftOut.push(`${shown(tool.name)}: its name is too long (${MAX_TOOL_NAME_LENGTH} characters with the server's).`);
    else if (tool.name === '') leftOut.push('A tool without a name.');
    else if (needsTask(tool)) leftOut.push(`${shown(tool.name)}: it only runs as a task, which Hone does not support.`);
    else if (listed.has(name)) leftOut.push(`${shown(tool.name)}: another tool has that name.`);
    else listed.set(name, { name, original: tool.name, ...descriptionOf(tool), ...(await parametersOf(tool, until)) });
  }
  if (tools.length > MAX_TOOLS)
    leftOut.push(`${tools.length - MAX_TOOLS} more tools: at most ${MAX_TOOLS} of a server are listed.`);
  return { tools: [...listed.values()], leftOut };
}

/** Returns true if every ordinary call of a tool fails. The types of the client omit this member of the protocol of November 2025. */
function needsTask(tool: Tool & { execution?: unknown }): boolean {
  return isRecord(tool.execution) && tool.execution.taskSupport === 'required';
}

function descriptionOf(tool: Tool): { description: string } {
  const text = storableText(tool.description ?? tool.title ?? tool.annotations?.title ?? '').trim();
  return {
    description:
      text.length > MAX_DESCRIPTION_LENGTH ? `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1).toWellFormed()}…` : text,
  };
}

async function parametersOf({ inputSchema }: Tool, until: number): Promise<Pick<ListedTool, 'parameters' | 'note'>> {
  if (performance.now() > until) return unchecked('was not read, as those before it took too long');
  const { $schema: _draft, ...schema }: Record<string, unknown> = inputSchema;
  // A deeply nested schema could not even be serialized as JSON.
  const limit = schemaLimitProblem(schema);
  if (limit !== null) return unchecked(limit);
  const json = storableText(JSON.stringify(schema));
  if (json.length > MAX_SCHEMA_LENGTH)
    return { parameters: ANY_OBJECT, note: 'Its schema is too long to send, so arguments are not checked.' };
  const problem = await schemaProblem(schema);
  return problem === null ? { parameters: schema, note: null } : unchecked(problem);
}

function unchecked(problem: string): Pick<ListedTool, 'parameters' | 'note'> {
  return { parameters: ANY_OBJECT, note: `Its schema ${shown(problem)}, so arguments are not checked.` };
}

const ANY_OBJECT = { type: 'object', properties: {} };

function shown(text: string): string {
  return storableText(text.length > MAX_SHOWN_NAME_LENGTH ? `${text.slice(0, MAX_SHOWN_NAME_LENGTH)}…` : text);
}
