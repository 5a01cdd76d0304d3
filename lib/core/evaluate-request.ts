import type { OpenIssue } from '#lib/core/issues/open-issues.ts';
import type { Case } from './case.ts';
import type { EarlierOutputs } from './earlier-outputs.ts';
import { type EmbedOutcome, embeddingRequest, readEmbeddings } from './embedding-request.ts';
import type { Evaluation } from './history.ts';
import type { ModelFailure, ModelOutcome, ModelRequest } from './model-request.ts';
import { modelFor } from './model-roles.ts';
import type { ExperimentSettings } from './settings.ts';
import type { TargetResult } from './targets/target-reply.ts';
import type { Spend } from './token-usage.ts';

/** Asks a model on behalf of one evaluation; ordinals are given out in the order of asking. */
export type Ask = (request: Omit<ModelRequest, 'ordinal' | 'model' | 'role'>) => Promise<ModelOutcome>;

/** Asks the embedding model of the settings for one vector a text. */
export type Embed = (texts: string[]) => Promise<EmbedOutcome>;

/** An output to be scored by all criteria of the settings, and what the evaluators may use; `ask` and `embed` as `evaluatorCalls` makes them. */
export type EvaluateRequest = {
  settings: ExperimentSettings;
  case: Case;
  output: string;
  /** The rest of the target's answer. Null or omitted unless a target made the output. */
  target?: TargetResult | null;
  /** Its number within the run; not given where it is no version. */
  version?: number;
  earlier: EarlierOutputs;
  /** Evaluators may quote the case's reference in what models are told. Only for training cases of a tuning run that allows it. */
  mayQuoteReference?: boolean;
  /** Issues that stood before and that judges are asked about; where not given, none are. */
  openIssues?: readonly OpenIssue[];
  ask: Ask;
  embed: Embed;
};

/** An evaluation before the loop says of which version, by whom, when and in which step. */
export type MadeEvaluation = Omit<
  Evaluation,
  'version' | 'by' | 'actor' | 'reason' | 'sameModelJudge' | 'copiedFrom' | 'createdAt' | 'step'
>;

/** `failed` = an evaluator's own model gave no answer at all, after its retries. */
export type EvaluationOutcome =
  | { ok: true; evaluation: MadeEvaluation }
  | { ok: false; failure: ModelFailure; spend: Spend };

/** Scores outputs: what the loop calls in its evaluate step. */
export type Evaluate = (request: EvaluateRequest) => Promise<EvaluationOutcome>;

/**
 * How the evaluators of one evaluation ask models: judges and the embedding model of the settings, all calls numbered in the
 * order of asking. `embed` throws where the settings name no embedding model.
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
