import { z } from 'zod';
import { agentOfTries } from '#lib/core/agents/agent-progress.ts';
import type { Case } from '#lib/core/case.ts';
import { TOKENS_OF_FILE } from '#lib/core/chat/chat-message.ts';
import { filesOf } from '#lib/core/chat/message-content.ts';
import { criterionDefinition } from '#lib/core/criterion.ts';
import { CHARACTERS_PER_TOKEN, estimatedTokens } from '#lib/core/estimated-tokens.ts';
import type { CallRole } from '#lib/core/model-request.ts';
import type { ModelRole } from '#lib/core/model-roles.ts';
import type { Prompt } from '#lib/core/prompts/render-template.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { MAX_CASES_PER_REQUEST } from '#lib/core/tuning/case-groups.ts';
import { MAX_CASE_TEXT_LENGTH } from '#lib/core/tuning/proposal-prompt.ts';
import { lessonCheckPrompt } from '#lib/lessons/check-text.ts';
import { previewPrompt } from './preview-prompt.ts';

/** Range from the minimum to the approximate maximum, both over all runs. */
export const rangeSchema = z.object({ lowest: z.number().min(0), highest: z.number().min(0) });
export type Range = z.infer<typeof rangeSchema>;

/** Estimated size of one call: input and output tokens, and latency. */
export type CallSize = { input: Range; output: Range; latencyMs: Range };

/** Assumed output tokens of an unknown response: a word to a long page. */
const ANSWER = { lowest: 2, highest: 1_024 };
/** Assumed output speed of models, and their time to first token. */
const TOKENS_PER_SECOND = { slow: 25, fast: 150 };
const BEGIN_MS = { lowest: 300, highest: 2_000 };
const TRACE_TOKENS = Math.ceil(MAX_CASE_TEXT_LENGTH / CHARACTERS_PER_TOKEN);
/** Error range of token counts estimated from text length: 3 to 5 characters per token, 4 on average. */
const TOKEN_COUNT_ERROR = { lowest: 4 / 5, highest: 4 / 3 };

/**
 * Estimates a call of a role without past calls. The prompt is estimated from its length, with stand-ins for content created by the loop.
 * The response is a wide guess. `task` is a case of typical length.
 */
export function assumedCall(settings: ExperimentSettings, role: CallRole, task: Case): CallSize {
  const output = role === 'embed' ? { lowest: 0, highest: 0 } : ANSWER;
  const answers = answersInPrompt(settings, role);
  return {
    input: {
      lowest: promptTokens(settings, role, task, true) * TOKEN_COUNT_ERROR.lowest + answers * ANSWER.lowest,
      highest:
        promptTokens(settings, role, task, false) * TOKEN_COUNT_ERROR.highest +
        answers * ANSWER.highest +
        lessonTokens(settings, role) +
        earlierTokens(settings, role) +
        traceTokens(settings, role),
    },
    output,
    latencyMs: {
      lowest: BEGIN_MS.lowest + (1000 * output.lowest) / TOKENS_PER_SECOND.fast,
      highest: BEGIN_MS.highest + (1000 * output.highest) / TOKENS_PER_SECOND.slow,
    },
  };
}

function promptTokens(settings: ExperimentSettings, role: CallRole, task: Case, isShortest: boolean): number {
  const of = (model: ModelRole) => tokensOf(previewPrompt(settings, model, task, isShortest));
  switch (role) {
    case 'embed':
      return estimatedTokens(task.input);
    case 'try':
      return of('generate');
    case 'judge':
      return of('evaluate');
    case 'reflect': {
      const one = of('reflect');
      // A proposal covers several cases at once.
      return settings.mode === 'tune' ? one + (casesOfReflection(settings) - 1) * estimatedTokens(task.input) : one;
    }
    case 'turn':
      return of('generate');
    case 'lesson_check':
      return tokensOf(lessonCheckPrompt(''));
    case 'generate':
    case 'evaluate':
    case 'revise':
    case 'lesson':
      return of(role);
  }
}

/** Returns the number of model-written texts in a prompt: drafts, critiques and lessons. */
function answersInPrompt(settings: ExperimentSettings, role: CallRole): number {
  switch (role) {
    case 'generate':
      return 0;
    case 'evaluate':
    case 'judge':
    case 'embed':
    case 'lesson_check':
      return 1;
    case 'reflect':
      return settings.mode === 'tune' ? casesOfReflection(settings) : 1;
    case 'revise':
    case 'lesson':
      return 2;
    case 'try':
    case 'turn':
      // Half of the maximum number of turns and observations.
      return settings.generator.base.type === 'single' ? 0 : settings.generator.base.maxSteps;
  }
}

/** Returns the maximum number of cases in one request to the reflection model. */
function casesOfReflection({ tune }: ExperimentSettings): number {
  return Math.min(tune.minibatchSize, MAX_CASES_PER_REQUEST);
}

function lessonTokens({ lessons, mode }: ExperimentSettings, role: CallRole): number {
  const isGiven = lessons.store !== 'none' || lessons.pinned.length > 0;
  return isGiven &&
    (role === 'generate' || role === 'revise' || role === 'turn' || (mode === 'tune' && role === 'reflect'))
    ? lessons.tokenBudget
    : 0;
}

/** Returns the tokens of findings about earlier versions. The first call of a role has none. */
function earlierTokens(settings: ExperimentSettings, role: CallRole): number {
  const { mode, maxIterations, maxAttempts, revision } = settings;
  switch (role) {
    case 'evaluate': {
      // Open issues are the earlier findings of judges and critics.
      const hasNext = mode === 'retry' ? maxAttempts > 1 : mode === 'revise' && maxIterations > 0;
      return hasNext && settings.criteria.some(({ evaluator }) => criterionDefinition(evaluator).judge?.knowsOpenIssues)
        ? ANSWER.highest
        : 0;
    }
    case 'revise':
      return revision.includeReflectionHistory && maxIterations > 1 ? ANSWER.highest : 0;
    case 'reflect':
      return mode === 'revise' && maxIterations > 1 ? ANSWER.highest : 0;
    case 'lesson':
      return mode === 'retry' && maxAttempts > 1 ? ANSWER.highest : 0;
    case 'generate':
    case 'turn':
    case 'try':
    case 'judge':
    case 'embed':
    case 'lesson_check':
      return 0;
  }
}

/** Returns the tokens of the traces of a proposal's cases. Only agents and targets have traces. */
function traceTokens(settings: ExperimentSettings, role: CallRole): number {
  const hasTraces = settings.generator.target !== null || agentOfTries(settings) !== null;
  if (role !== 'reflect' || settings.mode !== 'tune' || !hasTraces) return 0;
  return casesOfReflection(settings) * TRACE_TOKENS;
}

function tokensOf({ instructions, prompt, messages = [], files = [] }: Prompt): number {
  const images = (filesOf(messages).length + files.length) * TOKENS_OF_FILE;
  return estimatedTokens(instructions) + estimatedTokens(prompt) + images;
}
