import { z } from 'zod';
import { shownHeaderSchema } from '#lib/system/sealed-headers.ts';

/** Result of listing an MCP server's tools. `message` describes it to a person, `remedy` says what to do after a failure. */
export const mcpTestSchema = z.object({
  ok: z.boolean(),
  message: z.string(),
  remedy: z.string().nullable(),
  /** Name reported by the server. Empty if it reports none. */
  title: z.string(),
  protocol: z.string(),
  /** Unusable tools, with the reasons. */
  leftOut: z.array(z.string()),
  /** Names of tools that were added, removed, or changed their description since the last listing. */
  changes: z.object({ added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) }),
  latencyMs: z.int(),
});
export type McpTest = z.infer<typeof mcpTestSchema>;

/** Stored tool of a server; see `ListedTool`. */
export const storedToolSchema = z.object({
  name: z.string(),
  original: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  note: z.string().nullable(),
});
export type StoredTool = z.infer<typeof storedToolSchema>;

/** MCP server as shown to people, without its header values. */
export const mcpServerViewSchema = z.object({
  name: z.string(),
  kind: z.enum(['http', 'stdio']),
  url: z.string().nullable(),
  command: z.string().nullable(),
  headers: z.array(shownHeaderSchema),
  timeoutMs: z.int(),
  tools: z.array(storedToolSchema),
  test: mcpTestSchema.nullable(),
  testedAt: z.string().nullable(),
  usedBy: z.array(z.object({ id: z.string(), name: z.string(), tools: z.array(z.string()) })),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type McpServerView = z.infer<typeof mcpServerViewSchema>;

/** Tool available to agents. `server` is null for a built-in tool. */
export const offeredToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  server: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()),
  note: z.string().nullable(),
});
export type OfferedTool = z.infer<typeof offeredToolSchema>;
