/** What a program with an API token may do, beside the endpoint for agents (MCP), whose tools ask for the same scopes. */
export const TOKEN_SCOPES = ['lessons:read', 'lessons:write', 'runs:read', 'runs:write'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
