import type { Evaluate } from './evaluate-request.ts';
import type { History } from './history.ts';
import type { ModelFailureKind, ModelOutcome, ModelRequest } from './model-request.ts';
import { isSatisfactory } from './score-evaluation.ts';
import type { ExperimentSettings } from './settings.ts';
import type { StepContext } from './step-context.ts';
import { NO_SPEND } from './token-usage.ts';

const NOW = new Date('2026-01-05T10:00:00.000Z');

/** Returns a response with 10 tokens for one cent, with optional changes. */
export function replied(
  text: string,
  changes: Partial<Extract<ModelOutcome, { ok: true }>['reply']> = {},
): ModelOutcome {
  const spend = { tokenUsage: { input: 8, output: 2, total: 10 }, costUsd: 0.01, latencyMs: 100 };
  return { ok: true, reply: { text, finishReason: 'stop', attempts: 1, warnings: [], ...spend, ...changes } };
}

/** Returns a failed call whose tries cost 5 tokens. */
export function noAnswer(kind: ModelFailureKind): ModelOutcome {
  const spend = { tokenUsage: { input: 5, output: 0, total: 5 }, costUsd: 0, latencyMs: 10 };
  const words = { message: 'no answer', remedy: 'try later', status: null, attempts: kind === 'aborted' ? 0 : 3 };
  return { ok: false, failure: { kind, ...words, ...spend } };
}

/** Parses an output as its score, without a model call. */
export const scoredByNumber: Evaluate = async ({ settings, output }) => {
  const overallScore = Number.isFinite(Number(output)) ? Number(output) : null;
  const criteriaScores = Object.fromEntries(settings.criteria.map(({ name }) => [name, overallScore]));
  const satisfactory = isSatisfactory(settings, overallScore, criteriaScores);
  const status = overallScore === null ? 'partial' : 'scored';
  return {
    ok: true,
    evaluation: {
      ...NO_SPEND,
      status,
      overallScore,
      criteriaScores,
      satisfactory,
      reasons: {},
      issues: [],
      suggestions: [],
      confidence: null,
      feedback: '',
      detail: '',
      answer: null,
    },
  };
};

/** Returns the context of a step. `answer` implements the models, and every request is recorded. */
export function scripted(
  history: History,
  settings: ExperimentSettings,
  answer: (request: ModelRequest) => ModelOutcome | Promise<ModelOutcome>,
  evaluate: Evaluate = scoredByNumber,
): { context: StepContext; requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const context: StepContext = {
    history,
    settings,
    case: { input: '', reference: null, tags: [], metadata: {} },
    call: async (_step, request) => {
      requests.push(request);
      return answer(request);
    },
    evaluate,
    now: () => NOW,
    newId: () => 'id',
  };
  return { context, requests };
}
