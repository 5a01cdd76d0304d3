import { z } from 'zod';
import type { EditedPrompt } from './use-prompt-draft.ts';

/** Schema of the form values. Their JSON may be incomplete. */
const storedSchema: z.ZodType<EditedPrompt> = z.object({
  text: z.string(),
  options: z.object({
    tools: z.array(z.object({ key: z.number(), name: z.string(), description: z.string(), parameters: z.string() })),
    responseSchema: z.object({ name: z.string(), schema: z.string() }),
  }),
});

/** Parses the prompt from browser storage. Null if invalid. */
export function readStoredPrompt(stored: string): EditedPrompt | null {
  try {
    return storedSchema.safeParse(JSON.parse(stored)).data ?? null;
  } catch {
    return null;
  }
}
