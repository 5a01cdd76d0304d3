/** One task of a run: what goes in, and what people know about the right answer. */
export type Case = { input: string; reference: string | null; tags: string[]; metadata: Record<string, unknown> };
