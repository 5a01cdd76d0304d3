import type { Tool } from '@modelcontextprotocol/client';
import { schemaProblem } from '#lib/evaluators/check-schema.ts';
import { schemaLimitProblem } from '#lib/evaluators/schema-limits.ts';
import type { ListedTool } from './connect-mcp.ts';

/** Maximum number of tools per server. */
const MOST_TOOLS = 200;
/** Maximum length of a tool name that providers accept. */
const LONGEST_NAME = 64;
/** Maximum length of a tool description that providers accept, in characters. */
const LONGEST_DESCRIPTION = 1_000;
/** Maximum length of a schema as JSON, in characters. */
const LONGEST_SCHEMA = 20_000;
/** Maximum total time for checking the schemas of one server, in milliseconds, because other work waits for the same threads. */
const LONGEST_LOOK_MS = 20_000;
/** Maximum length of a displayed name, in characters. */
const MOST_SHOWN = 80;

/**
 * Returns a server's tools in the form shown to models. They are named `server__tool` with characters that all providers accept.
 * Descriptions are truncated, and an unusable schema is replaced by that of any object. All input is untrusted.
 */
export async function readMcpTools(server: string, tools: Tool[]): Promise<{ tools: ListedTool[]; leftOut: string[] }> {
  const listed = new Map<string, ListedTool>();
  const leftOut: string[] = [];
  const until = performance.now() + LONGEST_LOOK_MS;
  for (const tool of tools.slice(0, MOST_TOOLS)) {
    const name = `${server}__${tool.name.replace(/[^a-zA-Z0-9_-]/g, '_')}`;
    if (tool.name.length > 200 || name.length > LONGEST_NAME)
      leftOut.push(`${shown(tool.name)}: its name is too long (${LONGEST_NAME} characters with the server's).`);
    else if (tool.name === '') leftOut.push('A tool without a name.');
    else if (listed.has(name)) leftOut.push(`${shown(tool.name)}: another tool has that name.`);
    else listed.set(name, { name, original: tool.name, ...descriptionOf(tool), ...(await parametersOf(tool, until)) });
  }
  if (tools.length > MOST_TOOLS)
    leftOut.push(`${tools.length - MOST_TOOLS} more tools: at most ${MOST_TOOLS} of a server are listed.`);
  return { tools: [...listed.values()], leftOut };
}

function descriptionOf(tool: Tool): { description: string } {
  const text = clean(tool.description ?? tool.title ?? tool.annotations?.title ?? '').trim();
  return {
    description: text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION - 1).toWellFormed()}…` : text,
  };
}

async function parametersOf({ inputSchema }: Tool, until: number): Promise<Pick<ListedTool, 'parameters' | 'note'>> {
  if (performance.now() > until) return unchecked('was not read, as those before it took too long');
  const { $schema: _draft, ...schema }: Record<string, unknown> = inputSchema;
  // A deeply nested schema could not even be serialized as JSON.
  const limit = schemaLimitProblem(schema);
  if (limit !== null) return unchecked(limit);
  const json = clean(JSON.stringify(schema));
  if (json.length > LONGEST_SCHEMA)
    return { parameters: ANY_OBJECT, note: 'Its schema is too long to send, so arguments are not checked.' };
  const problem = await schemaProblem(schema);
  return problem === null ? { parameters: schema, note: null } : unchecked(problem);
}

function unchecked(problem: string): Pick<ListedTool, 'parameters' | 'note'> {
  return { parameters: ANY_OBJECT, note: `Its schema ${shown(problem)}, so arguments are not checked.` };
}

const ANY_OBJECT = { type: 'object', properties: {} };

function clean(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

function shown(text: string): string {
  return clean(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);
}
