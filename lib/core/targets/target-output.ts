import type { ModelOutcome, ModelReply } from '#lib/core/model-request.ts';
import type { Prompt } from '#lib/core/prompts/render-template.ts';
import { failuresSoFar } from '#lib/core/reflections.ts';
import { withoutThinking } from '#lib/core/responses.ts';
import type { RevisedText, RevisionGround } from '#lib/core/revise-text.ts';
import type { ModelFailure } from '../model-request.ts';
import type { ExperimentSettings } from '../settings.ts';
import { readReplyText, type TargetResult } from './target-reply.ts';
import { revisionFeedback, targetPrompt } from './target-request.ts';
import type { TargetSettings } from './target-settings.ts';

/** An output. `target` is set if a target made it. */
type Output = { output: string; target?: TargetResult };

export type OutputOutcome = ({ ok: true; reply: ModelReply } & Output) | Extract<ModelOutcome, { ok: false }>;

/** Extracts the output from a reply: the whole text of a model, or the field `output` of a target. */
export function readOutput({ generator }: Pick<ExperimentSettings, 'generator'>, text: string): Output {
  if (generator.target === null) return { output: text };
  const { output, target } = readReplyText(text);
  return { output: withoutThinking(output), target };
}

/** Calls a target to improve an output. The request contains the problems of the last output, and the response is a complete new one. */
export async function reviseByTarget(
  target: TargetSettings,
  { case: task, history, from, regressed, recalled = [] }: RevisionGround,
  ask: (prompt: Prompt) => Promise<OutputOutcome>,
): Promise<{ ok: true; revised: RevisedText & { target?: TargetResult } } | { ok: false; failure: ModelFailure }> {
  const fell =
    regressed === null
      ? []
      : [`Version ${regressed.version} scored ${regressed.fell.toFixed(2)} lower than this one. Take another way.`];
  const prompt = targetPrompt(target, task, {
    purpose: 'revision',
    version: history.versions.length,
    feedback: revisionFeedback(history, from, [...fell, ...failuresSoFar(history)]),
    lessons: recalled.map(({ text }) => text),
  });
  const outcome = await ask(prompt);
  if (!outcome.ok) return outcome;
  const { ok: _ok, reply, ...made } = outcome;
  const { tokenUsage, costUsd, latencyMs: durationMs, finishReason } = reply;
  const spend = { tokenUsage, costUsd, durationMs };
  return { ok: true, revised: { ...spend, ...made, finishReason, strategy: 'full_rewrite', strategyNote: null } };
}
