import { component } from '#lib/http/define-route.ts';
import { page } from '#lib/http/fields.ts';
import { mcpServerViewSchema, offeredToolSchema } from '#lib/mcp-servers/mcp-server-record.ts';

export const toolsSchema = component('Tools', page(component('Tool', offeredToolSchema)));

export const mcpServersSchema = component('McpServers', page(component('McpServer', mcpServerViewSchema)));
