import { z } from 'zod';

const spentShape = {
  durationMs: z.int().min(0),
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  costUsd: z.number().nullable().meta({ description: 'Null if the price of the model is not known.' }),
};

/** Events of a streamed preview: the case, each piece of text, and the result. */
export const previewEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), input: z.string().meta({ description: 'The first 300 characters.' }) }),
  z.object({ type: z.literal('text'), piece: z.string() }),
  z.object({ type: z.literal('end'), text: z.string(), finishReason: z.string(), ...spentShape }),
  z.object({ type: z.literal('failed'), message: z.string(), remedy: z.string(), ...spentShape }),
]);
export type PreviewEvent = z.infer<typeof previewEventSchema>;
