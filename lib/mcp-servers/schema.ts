import { z } from 'zod';
import { shownHeaderSchema } from '#lib/system/sealed-headers.ts';

/** What asking an MCP server for its tools came to. `message` says it to a person, `remedy` what to do where it failed. */
export const mcpTestSchema = z.object({
  ok: z.boolean(),
  message: z.string(),
  remedy: z.string().nullable(),
  /** What the server calls itself; empty where it says nothing. */
  title: z.string(),
  protocol: z.string(),
  /** Tools that cannot be used, and why. */
  leftOut: z.array(z.string()),
  /** Tools that came, went, or say something else of themselves than the last time: by name. */
  changes: z.object({ added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) }),
  latencyMs: z.int(),
});
export type McpTest = z.infer<typeof mcpTestSchema>;

/** A tool of a server as it is stored; see `ListedTool`. */
export const storedToolSchema = z.object({
  name: z.string(),
  original: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  note: z.string().nullable(),
});
export type StoredTool = z.infer<typeof storedToolSchema>;

/** An MCP server as people see it: never with the values of its headers. */
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

/** A tool that agents can be given; `server` is null for a built-in one. */
export const offeredToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  server: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()),
  note: z.string().nullable(),
});
export type OfferedTool = z.infer<typeof offeredToolSchema>;
