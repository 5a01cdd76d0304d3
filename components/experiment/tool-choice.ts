/** Tool available to agents. `server`: its MCP server. Null for Hone's built-in tools. */
export type ToolChoice = { name: string; description: string; server: string | null };

/** Tools of one origin, Hone's first. `server` is undefined for selected tools that are no longer offered; they come last. */
export type ToolGroup = { server: string | null | undefined; tools: ToolChoice[] };

/** Groups the offered tools and the selected tools that are no longer offered. */
export function groupTools(offered: readonly ToolChoice[], chosen: readonly string[]): ToolGroup[] {
  const groups = new Map<string | null | undefined, ToolChoice[]>();
  const add = (server: string | null | undefined, tool: ToolChoice) =>
    groups.set(server, [...(groups.get(server) ?? []), tool]);
  for (const tool of offered) if (tool.server === null) add(null, tool);
  for (const tool of offered) if (tool.server !== null) add(tool.server, tool);
  for (const name of chosen)
    if (!offered.some((tool) => tool.name === name))
      add(undefined, { name, description: 'No longer available', server: null });
  return [...groups].map(([server, tools]) => ({ server, tools }));
}
