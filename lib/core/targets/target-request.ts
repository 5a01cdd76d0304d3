import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import { chatMessagesSchema } from '#lib/core/chat/chat-messages-schema.ts';
import type { ModelFailure, ModelOutcome, ModelResponse } from '#lib/core/model-request.ts';
import type { Prompt } from '#lib/core/prompts/render-template.ts';
import { critiqueOn, failuresSoFar } from '#lib/core/reflections.ts';
import { withoutThinking } from '#lib/core/responses.ts';
import type { RevisedText, RevisionGround } from '#lib/core/revise-text.ts';
import { guidanceOn } from '../decisions.ts';
import type { History, Version } from '../history.ts';
import { issueTexts, suggestionsOn } from '../prompts/revise-prompt.ts';
import { effectiveEvaluation } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import { spendOfCall } from '../spend.ts';
import { readResponseText, type TargetResult } from './target-response.ts';
import { componentTextsSchema, type TargetSettings } from './target-settings.ts';

const TARGET_PURPOSES = ['attempt', 'revision', 'tuning'] as const;

/** Feedback on the last output, or guidance for a new one. Scores are between 0 and 1. */
const feedbackSchema = z.object({
  output: z.string().nullable().meta({ description: 'Output to improve. Null: make a new attempt.' }),
  score: z.number().nullable().meta({ description: 'Overall score of the output.' }),
  issues: z.array(z.string()).meta({ description: 'Issues of the output.' }),
  suggestions: z.array(z.string()).meta({ description: 'Suggestions for improving the output.' }),
  critique: z.string().nullable().meta({ description: 'The critique, if it is free text.' }),
  guidance: z.array(z.string()).meta({ description: 'Guidance from reviewers.' }),
});
type TargetFeedback = z.infer<typeof feedbackSchema>;

/** Input of a target: one case, the texts of its components, feedback and lessons. It never contains the reference. */
export const targetInputSchema = z.object({
  case: z.object({
    input: z.string(),
    messages: chatMessagesSchema.optional().meta({
      description:
        'The input as messages, if it is a conversation. Read files with GET /api/v1/files/{file} and an API token.',
    }),
    tags: z.array(z.string()),
    metadata: z.record(z.string(), z.unknown()),
  }),
  components: componentTextsSchema.meta({ description: 'The text of each component.' }),
  purpose: z
    .enum(TARGET_PURPOSES)
    .meta({ description: 'Purpose of the output: a new attempt, a revision, or a try of a tuning run.' }),
  version: z.int().nullable().meta({ description: 'Number of the version within the run. Null while tuning.' }),
  feedback: feedbackSchema
    .nullable()
    .meta({ description: 'Feedback on the last output, or guidance for a new one. Null: no feedback yet.' }),
  lessons: z.array(z.string()).meta({ description: 'Lessons to follow.' }),
});
type TargetInput = z.infer<typeof targetInputSchema>;

type Asked = Omit<TargetInput, 'case' | 'components'>;

/** Returns the prompt of a call to a target: `TargetInput` as JSON. Equal inputs give equal prompts. */
export function targetPrompt({ components }: TargetSettings, task: Case, request: Asked): Prompt {
  const { input, messages, tags, metadata } = task;
  const body: TargetInput = {
    case: { input, ...(messages && { messages }), tags, metadata },
    components,
    ...request,
  };
  return { instructions: '', prompt: JSON.stringify(body) };
}

/** Returns the feedback for a revision of `from`. `wrong` lists problems in earlier steps. */
function revisionFeedback(history: History, from: Version, wrong: readonly string[]): TargetFeedback {
  const evaluation = effectiveEvaluation(history, from.number);
  const critique = critiqueOn(history, from.number);
  return {
    output: from.output,
    score: evaluation?.overallScore ?? null,
    issues: [...issueTexts(history, from), ...wrong],
    suggestions: suggestionsOn(history, from),
    critique: critique === null || critique.text === '' ? null : critique.text,
    guidance: guidanceOn(history, from.number),
  };
}

/** Returns the feedback for a fresh attempt, or null if there is none. */
export function attemptFeedback(wrong: string[], guidance: string[]): TargetFeedback | null {
  if (wrong.length === 0 && guidance.length === 0) return null;
  return { output: null, score: null, issues: wrong, suggestions: [], critique: null, guidance };
}

/** An output. `target` is set if a target made it. */
type Output = { output: string; target?: TargetResult };

export type OutputOutcome = ({ ok: true; reply: ModelResponse } & Output) | Extract<ModelOutcome, { ok: false }>;

/** Extracts the output from a response: the whole text of a model, or the field `output` of a target. */
export function readOutput({ generator }: Pick<ExperimentSettings, 'generator'>, text: string): Output {
  if (generator.target === null) return { output: text };
  const { output, target } = readResponseText(text);
  return { output: withoutThinking(output), target };
}

/** Calls a target to improve an output. The request contains the problems of the last output, and the response is a complete new one. */
export async function reviseByTarget(
  target: TargetSettings,
  { case: task, history, from, regressed, recalled = [] }: RevisionGround,
  ask: (prompt: Prompt) => Promise<OutputOutcome>,
): Promise<{ ok: true; revised: RevisedText & { target?: TargetResult } } | { ok: false; failure: ModelFailure }> {
  const regression =
    regressed === null
      ? []
      : [
          `Version ${regressed.version} scored ${regressed.drop.toFixed(2)} lower than this one. Take a different approach.`,
        ];
  const prompt = targetPrompt(target, task, {
    purpose: 'revision',
    version: history.versions.length,
    feedback: revisionFeedback(history, from, [...regression, ...failuresSoFar(history)]),
    lessons: recalled.map(({ text }) => text),
  });
  const outcome = await ask(prompt);
  if (!outcome.ok) return outcome;
  const { ok: _ok, reply, ...made } = outcome;
  const spend = spendOfCall(outcome);
  const { finishReason } = reply;
  return { ok: true, revised: { ...spend, ...made, finishReason, strategy: 'full_rewrite', strategyNote: null } };
}
