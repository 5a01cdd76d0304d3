import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { targetReference } from '#lib/core/targets/target-model.ts';
import { targetPrompt } from '#lib/core/targets/target-request.ts';
import { readResponseText } from '#lib/core/targets/target-response.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findTarget } from '#lib/models/stored-provider.ts';
import { withModels } from './stored-models.ts';

/** Timeout of a test, in milliseconds. Shorter than common proxy timeouts. */
const TEST_MS = 50_000;

export const targetTestInputSchema = z.strictObject({
  input: z
    .string()
    .min(1, { error: 'must not be empty' })
    .max(50_000, { error: 'must be at most 50,000 characters' })
    .meta({ description: 'The input of the case that is sent.' }),
});

export const targetTestSchema = z.object({
  ok: z.boolean(),
  message: z.string(),
  remedy: z.string(),
  output: z.string().nullable(),
  score: z.number().nullable(),
  feedback: z.string(),
  trace: z.string(),
  latencyMs: z.number(),
});
export type TargetTest = z.infer<typeof targetTestSchema>;

/**
 * Sends one case to a target, with its component texts, within the month's budget. A target that does not respond is a result, not an
 * error.
 */
export async function testTarget(
  context: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<TargetTest>> {
  const parsed = parseInput(targetTestInputSchema, input);
  if (!parsed.ok) return parsed;
  const target = await findTarget(context.database, name);
  if (target === null) return fail('not_found', `There is no target named ${JSON.stringify(name)}.`);
  const components = Object.fromEntries(Object.entries(target.components).map(([key, { text }]) => [key, text]));
  const task = { input: parsed.value.input, reference: null, tags: [], metadata: {} };
  const request = { purpose: 'attempt' as const, version: 0, feedback: null, lessons: [] };
  const settings = { name, components, tuned: null };
  const scope = { experimentId: null, purpose: 'connection_test' } as const;
  const startedAt = performance.now();
  const outcome = await withModels(context, scope, (call) =>
    call(
      {
        role: 'generate',
        ordinal: 0,
        model: targetReference(settings),
        ...targetPrompt(settings, task, request),
        temperature: null,
        maxOutputTokens: null,
        output: null,
      },
      { signal: AbortSignal.timeout(TEST_MS), onText: null },
    ),
  );
  const latencyMs = Math.round(performance.now() - startedAt);
  await context.database.prisma.$transaction((transaction) =>
    recordChange(transaction, actor, {
      act: 'tested',
      subject: { kind: 'target', name },
      change: { ok: outcome.ok },
    }),
  );
  const nothing = { output: null, score: null, feedback: '', trace: '', latencyMs };
  if (outcome.ok) {
    const { output, target: response } = readResponseText(outcome.reply.text);
    return succeed({ ...nothing, ...response, ok: true, message: 'The target responded.', remedy: '', output });
  }
  const { kind, message, remedy } = outcome.failure;
  const tooLate = `The target did not respond within ${TEST_MS / 1_000} s.`;
  if (kind === 'aborted')
    return succeed({ ...nothing, ok: false, message: tooLate, remedy: 'Check that the app is running and connected.' });
  return succeed({
    ...nothing,
    ok: false,
    message,
    remedy: remedy.replace(/, then resume the run\.$/, ', then test again.'),
  });
}
