import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { Prompt } from '#lib/core/prompts/render-template.ts';
import { critiqueOn } from '#lib/core/reflections.ts';
import { guidanceOn } from '../due-review.ts';
import type { History, Version } from '../history.ts';
import { issueTexts, suggestionsOn } from '../prompts/revise-prompt.ts';
import { effectiveEvaluation } from '../scored-versions.ts';
import { componentTextsSchema, type TargetSettings } from './target-settings.ts';

export const TARGET_PURPOSES = ['attempt', 'revision', 'tuning'] as const;

/** What a target is told of the output it is to better, or of how to make a new one. Scores run from 0 to 1. */
const feedbackSchema = z.object({
  output: z.string().nullable().meta({ description: 'The output to improve. Null: a fresh attempt.' }),
  score: z.number().nullable().meta({ description: 'Its overall score.' }),
  issues: z.array(z.string()).meta({ description: 'What is wrong.' }),
  suggestions: z.array(z.string()).meta({ description: 'How it can be improved.' }),
  critique: z.string().nullable().meta({ description: 'The critique, if it is free text.' }),
  guidance: z.array(z.string()).meta({ description: 'What people ask for.' }),
});
export type TargetFeedback = z.infer<typeof feedbackSchema>;

/** What a target is asked: one case, the texts of its components, and what earlier outputs taught. Never the reference of the case. */
export const targetInputSchema = z.object({
  case: z.object({ input: z.string(), tags: z.array(z.string()), metadata: z.record(z.string(), z.unknown()) }),
  components: componentTextsSchema.meta({ description: 'The text of each component.' }),
  purpose: z.enum(TARGET_PURPOSES).meta({ description: 'What the output is for.' }),
  version: z.int().nullable().meta({ description: 'Number of the version within the run. Null while tuning.' }),
  feedback: feedbackSchema.nullable().meta({ description: 'Null: there is none yet.' }),
  lessons: z.array(z.string()).meta({ description: 'Lessons to follow.' }),
});
export type TargetInput = z.infer<typeof targetInputSchema>;

type Asked = Omit<TargetInput, 'case' | 'components'>;

/** What a target is sent, as the prompt of a call: JSON of `TargetInput`. Equal questions are equal texts. */
export function targetPrompt({ components }: TargetSettings, task: Case, asked: Asked): Prompt {
  const { input, tags, metadata } = task;
  const body: TargetInput = { case: { input, tags, metadata }, components, ...asked };
  return { instructions: '', prompt: JSON.stringify(body) };
}

/** Asks for an output that mends what is wrong with `from`. `wrong`: what went wrong on the way here. */
export function revisionFeedback(history: History, from: Version, wrong: readonly string[]): TargetFeedback {
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

/** What goes with a fresh attempt; null where there is nothing to say. */
export function attemptFeedback(wrong: string[], guidance: string[]): TargetFeedback | null {
  if (wrong.length === 0 && guidance.length === 0) return null;
  return { output: null, score: null, issues: wrong, suggestions: [], critique: null, guidance };
}
