/** A tool that an agent can be given. `server`: the MCP server that has it; null for Hone's own. */
export type ToolChoice = { name: string; description: string; server: string | null };

/** Tools by where they come from, Hone's own first; chosen ones that are not offered any more last, with `server` undefined. */
export type ToolGroup = { server: string | null | undefined; tools: ToolChoice[] };

/** Groups what is offered, and what was chosen and is not there any more. */
export function groupTools(offered: readonly ToolChoice[], chosen: readonly string[]): ToolGroup[] {
  const groups = new Map<string | null | undefined, ToolChoice[]>();
  const put = (server: string | null | undefined, tool: ToolChoice) =>
    groups.set(server, [...(groups.get(server) ?? []), tool]);
  for (const tool of offered) if (tool.server === null) put(null, tool);
  for (const tool of offered) if (tool.server !== null) put(tool.server, tool);
  for (const name of chosen)
    if (!offered.some((tool) => tool.name === name))
      put(undefined, { name, description: 'No longer available', server: null });
  return [...groups].map(([server, tools]) => ({ server, tools }));
}
