import { agentOfTries, agentProgress, agentSteps, mainTask } from './agents/agent-progress.ts';
import type { ToolCall, ToolOutcome } from './agents/agent-records.ts';
import { outputOf } from './agents/agent-step.ts';
import type { AgentBase } from './agents/base-settings.ts';
import { performTools } from './agents/perform-tools.ts';
import { makeTurns } from './agents/perform-turn.ts';
import { readArguments } from './agents/read-arguments.ts';
import { omittedCallsLabel } from './agents/tool-calls.ts';
import type { Case } from './case.ts';
import { settingsForCase } from './case-criteria.ts';
import { NOTHING_EARLIER } from './earlier-outputs.ts';
import { type Evaluate, evaluatorCalls } from './evaluate-request.ts';
import { EMPTY_HISTORY, type ExampleScore, type History } from './history.ts';
import { CANCELLED, type ModelFailure, type ModelOutcome, type ModelRequest } from './model-request.ts';
import { type ModelRole, modelFor } from './model-roles.ts';
import { modelSettingsAt } from './model-settings.ts';
import { answerForm } from './prompt-options.ts';
import { generatePrompt } from './prompts/generate-prompt.ts';
import type { Prompt } from './prompts/render-template.ts';
import { withoutThinking } from './responses.ts';
import { CALLS_PER_CASE, CALLS_PER_TRY, isReusedResponse } from './reused-responses.ts';
import { callSettings, type ExperimentSettings } from './settings.ts';
import { spendOfCall, sumSpend } from './spend.ts';
import type { CutOff } from './step.ts';
import type { StepContext } from './step-context.ts';
import { withTuned } from './targets/component-texts.ts';
import { readOutput, targetPrompt } from './targets/target-request.ts';
import type { TargetResult } from './targets/target-response.ts';
import type { Spend } from './token-usage.ts';
import { traceProblem, traceText } from './trace.ts';
import type { CandidateParameters } from './tuning/candidate-parameters.ts';

/** Number of attempts with separate ordinals for judge calls, and of such calls per attempt. Further calls share the last ordinal. */
const ATTEMPTS_APART = 7;
const JUDGE_CALLS = Math.floor((CALLS_PER_TRY - 1) / ATTEMPTS_APART);

/** Result of one prompt on one case, before it belongs to a run. */
export type PromptTry = Omit<ExampleScore, 'version' | 'position' | 'attempt' | 'createdAt' | 'step'>;

/** `role`: the role whose call failed, the generator's or the judge's. `spend`: everything paid nevertheless. */
export type PromptTryOutcome =
  | { ok: true; tried: PromptTry }
  | { ok: false; failure: ModelFailure; role: Extract<ModelRole, 'generate' | 'evaluate'>; spend: Spend };

export type PromptCase = {
  settings: ExperimentSettings;
  case: Case;
  /** Text of the prompt, with its variables. */
  prompt: string;
  call: (request: ModelRequest) => Promise<ModelOutcome>;
  /** Tools and clock of the agent that answers. Omitted: the agent has no tools. */
  agent?: AgentServices;
  evaluate: Evaluate;
  /** Index among the cases scored together, from 0. It determines the ordinals of its calls. */
  index: number;
  /** From 0. A case that could not be scored is scored again by other judge calls, with the same answer. */
  attempt: number;
  /** From 0. A scored case is answered and scored again, to measure the variance of scores. */
  repeat?: number;
  /** Model and temperature of the answer, instead of those of the settings. Judges are unchanged. */
  parameters?: CandidateParameters;
  /** See `EvaluateRequest`. */
  mayQuoteReference?: boolean;
  /** If true, a refused answer (content filter) scores 0. Otherwise it is a failure. */
  scoresRefusals?: boolean;
};

export type AgentServices = Pick<StepContext, 'toolDefinitions' | 'now'> & {
  /** Performs a tool call. Call ids are unique within the answer. Returns null if the call was aborted. */
  useTool: (call: ToolCall) => Promise<ToolOutcome | null>;
};

/**
 * Answers one case with one prompt and scores the answer. Judges receive the case's input and the answer, never the prompt, so that all
 * prompts are judged on the same task. Calls have the roles `try`, `judge` and `embed`.
 */
export async function tryPromptCase(promptCase: PromptCase): Promise<PromptTryOutcome> {
  const { case: task, evaluate, index, attempt, repeat = 0 } = promptCase;
  const settings = settingsForCase(promptCase.settings, task);
  const first = index * CALLS_PER_CASE + ((repeat * CALLS_PER_TRY) % CALLS_PER_CASE);
  const firstJudge = first + 1 + (attempt % ATTEMPTS_APART) * JUDGE_CALLS;
  const { calls, call } = withRecordedCalls(promptCase.call);
  const answered = await answerCase({ ...promptCase, settings, call }, first);
  const spent = sumSpend(calls.map(spendOfCall));
  const failed = (failure: ModelFailure, role: 'generate' | 'evaluate'): PromptTryOutcome => ({
    ok: false,
    failure,
    role,
    spend: sumSpend(calls.map(spendOfCall)),
  });
  const isPaidBefore = () => calls.every((outcome) => outcome.ok && isReusedResponse(outcome.reply));
  if (!answered.ok && answered.failure.kind === 'refused' && promptCase.scoresRefusals === true)
    return { ok: true, tried: { ...spent, ...refusedTry(settings, answered.failure), paidBefore: isPaidBefore() } };
  if (!answered.ok) return failed(answered.failure, 'generate');
  const { output, target, trace, finishReason } = answered;
  const judging = await evaluate({
    settings: { ...settings, prompts: { ...settings.prompts, generate: null } },
    case: task,
    output,
    target: target ?? null,
    earlier: NOTHING_EARLIER,
    mayQuoteReference: promptCase.mayQuoteReference ?? false,
    ...evaluatorCalls(settings, (request) =>
      call({
        ...request,
        role: request.role === 'evaluate' ? 'judge' : request.role,
        ordinal: firstJudge + Math.min(request.ordinal, JUDGE_CALLS - 1),
      }),
    ),
  });
  if (!judging.ok) return failed(judging.failure, 'evaluate');
  const { status, overallScore, criteriaScores, satisfactory, issues, suggestions, feedback, detail } =
    judging.evaluation;
  return {
    ok: true,
    tried: {
      // Scoring by a webhook costs no tokens, but takes time.
      ...sumSpend([spent, judging.evaluation]),
      status,
      criteriaScores,
      satisfactory,
      issues,
      suggestions,
      feedback,
      detail,
      output,
      ...(trace !== '' && { trace }),
      finishReason,
      score: overallScore,
      paidBefore: isPaidBefore(),
    },
  };
}

/**
 * Returns the scores of a refused answer, which are all 0. It is not evaluated: a judge would often be refused too, and some criteria
 * accept an empty text.
 */
function refusedTry({ criteria }: ExperimentSettings, { message }: ModelFailure) {
  return {
    status: 'scored' as const,
    criteriaScores: Object.fromEntries(criteria.map(({ name }) => [name, 0])),
    satisfactory: false,
    issues: [],
    suggestions: [],
    feedback: message,
    detail: message,
    output: '',
    finishReason: 'content-filter',
    score: 0,
  };
}

type Answer =
  | { ok: true; output: string; target?: TargetResult; trace: string; finishReason: string }
  | { ok: false; failure: ModelFailure };

type AskedCase = Pick<PromptCase, 'settings' | 'case' | 'prompt' | 'parameters' | 'call' | 'agent'>;

/** Answers a case with a prompt, by one call or by an agent. The calls of an agent share an ordinal and differ in their prompts. */
export async function answerCase(askedCase: AskedCase, ordinal: number): Promise<Answer> {
  const settings = settingsForCase(askedCase.settings, askedCase.case);
  const base = agentOfTries(settings);
  if (base !== null) return answerByAgent(base, agentContext(askedCase, settings, ordinal));
  const outcome = await askedCase.call(answerRequest(askedCase, settings, ordinal));
  if (!outcome.ok) return outcome;
  const { text, finishReason } = outcome.reply;
  const { output, target } = readOutput(settings, text);
  return { ok: true, output, ...(target && { target }), trace: target?.trace ?? '', finishReason };
}

function agentContext(
  { case: task, prompt, parameters = {}, call, agent }: AskedCase,
  settings: ExperimentSettings,
  ordinal: number,
): StepContext {
  const { model, temperature } = parameters;
  const generator = { ...settings.generator, ...model, ...(temperature !== undefined && { temperature }) };
  return {
    history: EMPTY_HISTORY,
    settings: {
      ...settings,
      generator,
      modelSettings: modelSettingsAt(settings, generator),
      prompts: { ...settings.prompts, generate: prompt },
    },
    case: task,
    call: (_step, request) => call({ ...request, role: 'try', ordinal }),
    evaluate: () => Promise.reject(new Error('an agent cannot score')),
    toolDefinitions: agent?.toolDefinitions ?? [],
    ...(agent && { useTool: (_step, use) => agent.useTool(use) }),
    now: agent?.now ?? (() => new Date(0)),
    newId: () => '',
  };
}

function answerRequest(
  { case: task, prompt, parameters = {} }: AskedCase,
  settings: ExperimentSettings,
  ordinal: number,
): ModelRequest {
  return {
    role: 'try',
    ordinal,
    model: parameters.model ?? modelFor(settings, 'generate'),
    ...promptOfTry(settings, task, prompt),
    ...callSettings(settings, 'generate', parameters.model),
    ...(parameters.temperature !== undefined && { temperature: parameters.temperature }),
    ...answerForm(settings.generator),
  };
}

/** Builds the request for a text that replaces the tuned prompt, or the tuned component of a target. */
function promptOfTry(settings: ExperimentSettings, task: Case, text: string): Prompt {
  const { target } = settings.generator;
  if (target === null) {
    const prompts = { ...settings.prompts, generate: text };
    return generatePrompt({ ...settings, prompts }, task, []);
  }
  const request = { purpose: 'tuning' as const, version: null, feedback: null, lessons: [] };
  return targetPrompt(withTuned(target, text), task, request);
}

/** Records the outcome of every call, and removes models' thinking from their answers. */
function withRecordedCalls(ask: PromptCase['call']) {
  const calls: ModelOutcome[] = [];
  const call = async (request: ModelRequest): Promise<ModelOutcome> => {
    const outcome = await ask(request);
    calls.push(outcome);
    if (!outcome.ok) return outcome;
    return { ok: true, reply: { ...outcome.reply, text: withoutThinking(outcome.reply.text) } };
  };
  return { calls, call };
}

/**
 * Runs an agent on the case of the context until it answers or is cut off, then without an output. `trace`: thoughts, tool calls and their
 * results. Ignores the history of the context. Throws if a tool call needs approval, because no reviewer is available.
 */
async function answerByAgent(base: AgentBase, context: StepContext): Promise<Answer> {
  let history: History = EMPTY_HISTORY;
  for (;;) {
    const way = agentSteps(history, 0);
    const progress = agentProgress(way, base, mainTask(base));
    if (progress.type === 'done') {
      const { cutOff } = progress;
      const { output, finishReason } = outputOf(way, cutOff);
      // A thought is not an answer and must not be scored.
      return { ok: true, output: cutOff === null ? output : '', finishReason, trace: agentTrace(history, cutOff) };
    }
    const { ready, due, asking } = progress;
    const here = { ...context, history };
    if (ready.length > 0) {
      const used = await performTools({ type: 'use_tools', version: 0, calls: ready }, here, base);
      if (used?.type !== 'observations') return CANCELLED;
      history = { ...history, observations: [...history.observations, ...used.observations] };
    } else if (due.length > 0) {
      const made = await makeTurns({ agents: due, version: 0 }, here, base);
      if (made === null) return CANCELLED;
      const failure = made.failed[0]?.failure;
      if (failure !== undefined) return { ok: false, failure };
      history = { ...history, turns: [...history.turns, ...made.turns] };
    } else throw new Error(`the agent must ask a person about ${asking.map(({ tool }) => tool).join(', ')}`);
  }
}

/** Budgets do not cut off an agent during an example score. */
type TaskCutOff = Exclude<CutOff, 'budget'>;

/** Returns the thoughts and tool calls as the steps of a trace. The answer is not a step but the output. */
function agentTrace({ turns, observations }: History, cutOff: TaskCutOff | null): string {
  const results = new Map(observations.map((observation) => [observation.callId, observation]));
  const useOf = ({ id, tool, arguments: given }: ToolCall) => {
    const result = results.get(id);
    const read = readArguments(given);
    const input = read === null || traceProblem(read) !== null ? given : read;
    if (result === undefined) return { name: tool, input };
    return { name: tool, input, [result.status === 'ok' ? 'output' : 'error']: result.text };
  };
  const steps = turns.flatMap((turn) => {
    const leftOut = omittedCallsLabel(turn);
    return [
      ...(turn.thought.trim() === '' || turn.thought === turn.answer
        ? []
        : [{ name: 'thought', output: turn.thought }]),
      ...turn.calls.map(useOf),
      ...(leftOut === null ? [] : [{ name: 'tool limit', error: leftOut }]),
    ];
  });
  return traceText([...steps, ...(cutOff === null ? [] : [{ name: 'cut off', error: CUT_OFF_ERRORS[cutOff] }])]);
}

const CUT_OFF_ERRORS: Record<TaskCutOff, string> = {
  turn_limit: 'The agent used all of its turns without answering.',
  stalled: 'The agent repeated the same tool calls.',
  no_answer: 'The agent neither called a tool nor answered.',
};
