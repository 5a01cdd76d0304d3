import type { OpenIssue } from '#lib/core/issues/open-issues.ts';
import type { Case } from './case.ts';
import type { EarlierOutputs } from './earlier-outputs.ts';
import { type EmbedOutcome, embeddingRequest, readEmbeddings } from './embedding-request.ts';
import type { Evaluation } from './history.ts';
import type { ModelFailure, ModelOutcome, ModelRequest } from './model-request.ts';
import { modelFor } from './model-roles.ts';
import type { ExperimentSettings } from './settings.ts';
import type { TargetResult } from './targets/target-response.ts';
import { NO_SPEND, type Spend } from './token-usage.ts';

/** Calls a model for one evaluation. Ordinals are assigned in the order of the calls. */
export type Ask = (request: Omit<ModelRequest, 'ordinal' | 'model' | 'role'>) => Promise<ModelOutcome>;

/** Calls the embedding model of the settings for one vector per text. */
export type Embed = (texts: string[]) => Promise<EmbedOutcome>;

/** An output to score by all criteria, and the services of the evaluators. `evaluatorCalls` creates `ask` and `embed`. */
export type EvaluateRequest = {
  settings: ExperimentSettings;
  case: Case;
  output: string;
  /** The other fields of the target's response. Null or omitted unless a target made the output. */
  target?: TargetResult | null;
  /** Number of the version within the run. Omitted if the output is not a version. */
  version?: number;
  earlier: EarlierOutputs;
  /** True if evaluators may quote the case's reference in texts sent to models. Only for training cases of a tuning run that allows it. */
  mayQuoteReference?: boolean;
  /** Earlier issues that judges have to check again. None if omitted. */
  openIssues?: readonly OpenIssue[];
  ask: Ask;
  embed: Embed;
};

/** An evaluation before the loop adds the version, author, time and step. */
export type MadeEvaluation = Omit<
  Evaluation,
  'version' | 'by' | 'actor' | 'reason' | 'sameModelJudge' | 'copiedFrom' | 'createdAt' | 'step'
>;

/** An evaluation without scores and texts. */
export const EMPTY_EVALUATION: MadeEvaluation = {
  ...NO_SPEND,
  ...{ status: 'partial', overallScore: null, criteriaScores: {}, reasons: {}, satisfactory: false, confidence: null },
  ...{ issues: [], suggestions: [], feedback: '', detail: '', answer: null },
};

/** `failed`: an evaluator's model returned no answer after all retries. */
export type EvaluationOutcome =
  | { ok: true; evaluation: MadeEvaluation }
  | { ok: false; failure: ModelFailure; spend: Spend };

/** Scores an output. Called by the loop in its evaluate step. */
export type Evaluate = (request: EvaluateRequest) => Promise<EvaluationOutcome>;

/**
 * Creates the model calls of one evaluation, for judges and for the embedding model of the settings. All calls are numbered in order.
 * `embed` throws if the settings name no embedding model.
 */
export function evaluatorCalls(
  settings: ExperimentSettings,
  call: (request: ModelRequest) => Promise<ModelOutcome>,
): { ask: Ask; embed: Embed } {
  let ordinal = 0;
  return {
    ask: (request) => call({ ...request, role: 'evaluate', model: modelFor(settings, 'evaluate'), ordinal: ordinal++ }),
    embed: async (texts) => {
      const { embeddingModel } = settings;
      if (embeddingModel === null) throw new Error('the settings name no embedding model');
      const outcome = await call({ ...embeddingRequest(texts), model: embeddingModel, ordinal: ordinal++ });
      return readEmbeddings(outcome, texts.length);
    },
  };
}
