import type { ToolCall, ToolDefinition, ToolOutcome, UseTool } from '#lib/core/agents/agent-records.ts';
import type { Case } from './case.ts';
import { EMPTY_EVALUATION, type Evaluate, type MadeEvaluation } from './evaluate-request.ts';
import { type Decision, type History, PLAIN_DECISION } from './history.ts';
import { lessonsThatFit } from './lesson-form.ts';
import type { Recall, Recalled, RecalledText } from './lesson-schema.ts';
import type { ModelOutcome, ModelRequest, StepCall } from './model-request.ts';
import { isSatisfactory, overallOf } from './score-evaluation.ts';
import type { ExperimentSettings } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';

/** The signal that aborts a loop, if given. */
export type EngineCallOptions = { abortSignal?: AbortSignal | undefined };

/** Calls an engine's model. A plain text counts as an answer of unknown length without cost. */
export type EngineAsk = (request: ModelRequest, options: EngineCallOptions) => Promise<string | ModelOutcome>;

/** Adapts an engine's `ask` to the calls of the steps. An error that `ask` throws becomes a failed call with its message. */
export function engineAsk(ask: EngineAsk, now: () => Date, abortSignal?: AbortSignal): StepCall {
  return async (_step, request) => {
    const startedAt = now().getTime();
    const particulars = () => ({
      tokenUsage: { input: 0, output: 0, total: 0 },
      costUsd: 0,
      latencyMs: now().getTime() - startedAt,
      attempts: 1,
    });
    const aborted = (): ModelOutcome => ({
      ok: false,
      failure: { kind: 'aborted', message: 'The call was aborted.', remedy: '', status: null, ...particulars() },
    });
    try {
      if (abortSignal?.aborted) return aborted();
      const answer = await ask(request, { abortSignal });
      if (abortSignal?.aborted) return aborted();
      if (typeof answer !== 'string') return treatAbortAsFailure(answer);
      return { ok: true, reply: { text: answer, finishReason: 'stop', warnings: [], ...particulars() } };
    } catch (error) {
      if (abortSignal?.aborted) return aborted();
      const message = error instanceof Error ? error.message : String(error);
      const remedy = 'Fix the model, then execute the task again.';
      return { ok: false, failure: { kind: 'unavailable', message, remedy, status: null, ...particulars() } };
    }
  };
}

/** A call that someone other than the caller of the loop aborted is an ordinary failure. */
function treatAbortAsFailure(outcome: ModelOutcome): ModelOutcome {
  if (outcome.ok || outcome.failure.kind !== 'aborted') return outcome;
  return { ok: false, failure: { ...outcome.failure, kind: 'unavailable' } };
}

/**
 * Returns the recall of an engine's steps: its owner's lessons for the task, limited by the settings' number and tokens. It is called at
 * each step. For agents, see `recallOnce`.
 */
export function engineRecall(
  recall: ((task: Case) => RecalledText[] | Promise<RecalledText[]>) | undefined,
  { lessons: { store, topK, tokenBudget } }: ExperimentSettings,
  task: Case,
): Recall {
  return async () => {
    if (recall === undefined || store === 'none') return { lessons: [], spend: NO_SPEND };
    const most = store === 'recall' ? topK : Number.POSITIVE_INFINITY;
    return { lessons: lessonsThatFit(await recall(task), tokenBudget, most).lessons, spend: NO_SPEND };
  };
}

/** Recalls once per version for an agent, so that all its turns have the same first message. Other steps recall each time. */
export function recallOnce(recall: Recall, soFar: () => Pick<History, 'turns' | 'versions'>): Recall {
  let found: Recalled | null = null;
  return async () => {
    const { turns, versions } = soFar();
    const isUnderWay = turns.some(({ version }) => version === versions.length);
    if (!isUnderWay || found === null) found = await recall();
    return found;
  };
}

/** Tools of an engine's agents, such as a toolbox of `lib/tools`. A plain text is a successful result. A tool that throws has failed. */
export type EngineTools = {
  definitions: readonly ToolDefinition[];
  use: (call: ToolCall, options: EngineCallOptions) => string | ToolOutcome | Promise<string | ToolOutcome>;
};

/** Decision of code on a tool call that needs approval. `arguments` replace the agent's. */
export type ToolDecision =
  | 'allow'
  | 'refuse'
  | 'stop'
  | { decision: 'allow'; arguments: string }
  | { decision: 'refuse' | 'stop'; reason: string };

/** Adapts the engine's tools to the steps. */
export function engineTools({ use }: EngineTools, now: () => Date, abortSignal?: AbortSignal): UseTool {
  return async (_step, call) => {
    const startedAt = now().getTime();
    const durationMs = () => now().getTime() - startedAt;
    try {
      if (abortSignal?.aborted) return null;
      const answer = await use(call, { abortSignal });
      if (abortSignal?.aborted) return null;
      return typeof answer === 'string' ? { status: 'ok', text: answer, durationMs: durationMs() } : answer;
    } catch (error) {
      if (abortSignal?.aborted) return null;
      const why = error instanceof Error ? error.message : String(error);
      return { status: 'failed', text: `${call.tool} failed: ${why}`, durationMs: durationMs() };
    }
  };
}

/** Returns the history with code's decision on a tool call towards the next version. */
export function withToolDecision(history: History, call: ToolCall, answer: ToolDecision, now: Date): History {
  const explicit = typeof answer === 'string' ? { decision: answer } : answer;
  const decision: Decision = {
    ...PLAIN_DECISION,
    hook: 'onToolCall',
    version: history.versions.length,
    iteration: history.versions.length,
    decision: explicit.decision,
    by: 'code',
    reason: 'reason' in explicit ? explicit.reason : null,
    toolCallId: call.id,
    toolArguments: 'arguments' in explicit ? explicit.arguments : null,
    at: now.toISOString(),
    step: history.step,
  };
  return { ...history, decisions: [...history.decisions, decision] };
}

/**
 * Result of a validator: a score from 0 to 1, pass or fail with a message, or a score with the problem and its remedy. Its texts are sent
 * to models and must not reveal a reference.
 */
export type Verdict =
  | number
  | readonly [passed: boolean, message: string]
  | { score: number; reason?: string; issues?: string[]; suggestions?: string[] };

/** Scores one criterion in code. If it throws or returns no score from 0 to 1, the criterion is unscored. */
export type Validate = (output: string, task: Case) => Verdict | Promise<Verdict>;

/** Evaluates with functions, and with `others` for criteria without one. Throws if such a criterion exists and `others` is null. */
export function engineEvaluate(validators: ReadonlyMap<string, Validate>, others: Evaluate | null): Evaluate {
  return async (request) => {
    const { settings, output } = request;
    const own = new Set(request.case.criteria?.add.map(({ name }) => name));
    const byFunction = (name: string) => validators.has(name) && !own.has(name);
    const rest = settings.criteria.filter(({ name }) => !byFunction(name));
    const found: Judged[] = [];
    for (const { name } of settings.criteria) {
      const validate = byFunction(name) ? validators.get(name) : undefined;
      if (validate !== undefined) found.push(await judge(name, validate, output, request.case));
    }
    if (rest.length === 0) return { ok: true, evaluation: merged(settings, EMPTY_EVALUATION, found) };
    if (others === null) throw new Error(`${rest[0]?.name ?? ''} has no function, and the engine has no "evaluate"`);
    const outcome = await others({ ...request, settings: { ...settings, criteria: rest } });
    return outcome.ok ? { ok: true, evaluation: merged(settings, outcome.evaluation, found) } : outcome;
  };
}

type Judged = { name: string; score: number | null; reason: string; issues: string[]; suggestions: string[] };

async function judge(name: string, validate: Validate, output: string, task: Case): Promise<Judged> {
  try {
    return readVerdict(name, await validate(output, task));
  } catch (error) {
    return unscored(name, `its function failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readVerdict(name: string, verdict: Verdict): Judged {
  const nothing = { name, reason: '', issues: [], suggestions: [] };
  if (typeof verdict === 'number') return inRange({ ...nothing, score: verdict });
  if ('score' in verdict) return inRange({ ...nothing, ...verdict });
  const [passed, message] = verdict;
  return { ...nothing, score: passed ? 1 : 0, reason: message, issues: passed ? [] : [message] };
}

function inRange(judged: Judged & { score: number }): Judged {
  if (judged.score >= 0 && judged.score <= 1) return judged;
  return unscored(judged.name, `its function returned ${judged.score}, not a score from 0 to 1`);
}

function unscored(name: string, why: string): Judged {
  return { name, score: null, reason: `Not scored: ${why}.`, issues: [], suggestions: [] };
}

function merged(settings: ExperimentSettings, others: MadeEvaluation, found: Judged[]): MadeEvaluation {
  const criteriaScores = {
    ...Object.fromEntries(found.map(({ name, score }) => [name, score])),
    ...others.criteriaScores,
  };
  const overallScore = overallOf(settings, criteriaScores);
  const lines = found.filter(({ reason }) => reason !== '').map(({ name, reason }) => `${name}: ${reason}`);
  return {
    ...others,
    status: overallScore === null ? 'partial' : 'scored',
    overallScore,
    criteriaScores,
    reasons: { ...Object.fromEntries(found.map(({ name, reason }) => [name, reason])), ...others.reasons },
    satisfactory: isSatisfactory(settings, overallScore, criteriaScores),
    issues: [
      ...found.flatMap(({ name, issues }) => issues.map((text) => ({ criterion: name, text }))),
      ...others.issues,
    ],
    suggestions: [...new Set([...found.flatMap(({ suggestions }) => suggestions), ...others.suggestions])],
    feedback: [...lines, others.feedback].filter((line) => line !== '').join('\n'),
    detail: [...lines, others.detail].filter((line) => line !== '').join('\n'),
  };
}
