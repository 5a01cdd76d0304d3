import { z } from 'zod';
import { traceText } from '#lib/core/trace.ts';

const MAX_OUTPUT_LENGTH = 1_000_000;

/** The other fields of a target's response: its own score between 0 and 1, its feedback, and a trace of its steps. */
export const targetResultSchema = z.object({
  score: z.number().min(0).max(1).nullable(),
  feedback: z.string(),
  trace: z.string(),
});
export type TargetResult = z.infer<typeof targetResultSchema>;

const tokens = z
  .int({ error: 'must be a whole number' })
  .min(0, { error: 'must be from 0 to 100,000,000' })
  .max(100_000_000, { error: 'must be from 0 to 100,000,000' });
const cost = z
  .number({ error: 'must be a number' })
  .min(0, { error: 'must be from 0 to 1,000,000' })
  .max(1_000_000, { error: 'must be from 0 to 1,000,000' });

/** Response of a target. `trace` is text, steps or any other JSON. */
export const targetResponseSchema = z.object(
  {
    output: z
      .string({ error: 'must be a text' })
      .max(MAX_OUTPUT_LENGTH, { error: `must have at most ${MAX_OUTPUT_LENGTH.toLocaleString('en-US')} characters` })
      .meta({ description: 'The output that is scored.' }),
    score: z
      .number({ error: 'must be a number from 0 to 1' })
      .min(0, { error: 'must be from 0 to 1' })
      .max(1, { error: 'must be from 0 to 1' })
      .nullish()
      .meta({ description: 'The score that the app gives its output, for criteria of the kind `target`.' }),
    feedback: z
      .string({ error: 'must be a text' })
      .max(20_000, { error: 'must have at most 20,000 characters' })
      .nullish()
      .meta({ description: 'What is good and bad about the output. Critics see it.' }),
    trace: z.unknown().optional().meta({
      description:
        'What the app did: a list of steps, text, or any JSON, at most 1,000,000 characters. A step is an object such as `{ name, component, input, output, error }`.',
    }),
    usage: z
      .object({
        inputTokens: tokens,
        outputTokens: tokens,
        costUsd: cost.nullish(),
      })
      .nullish()
      .meta({ description: 'The tokens that the app used, and what they cost.' }),
  },
  { error: 'must be a JSON object' },
);
export type TargetResponse = z.infer<typeof targetResponseSchema>;

/** Formats the response as the text of a model response. The usage is stored with the call. */
export function responseText({ output, score, feedback, trace }: TargetResponse): string {
  return JSON.stringify({
    output,
    ...(typeof score === 'number' && { score }),
    ...(typeof feedback === 'string' && feedback !== '' && { feedback }),
    ...(trace !== undefined && trace !== null && trace !== '' && { trace }),
  });
}

/** Parses the text that `responseText` returned. */
export function readResponseText(text: string): { output: string; target: TargetResult } {
  const { output, score, feedback, trace } = targetResponseSchema.parse(JSON.parse(text));
  return { output, target: { score: score ?? null, feedback: feedback ?? '', trace: traceText(trace) } };
}
