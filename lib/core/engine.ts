import { z } from 'zod';
import { usedTools } from '#lib/core/agents/tool-calls.ts';
import type { ToolCall } from './agents/agent-records.ts';
import { appendResult } from './append-result.ts';
import { withCallLimit } from './call-limit.ts';
import { type Case, type CaseCriteria, type CaseCriteriaInput, caseCriteriaSchema } from './case.ts';
import { refuseCaseCriteria, settingsForCase } from './case-criteria.ts';
import { type ReflectionDecision, withCodeDecision } from './code-decision.ts';
import { waitsForPerson } from './criterion.ts';
import type { Criterion } from './criterion-schema.ts';
import {
  type EngineHistory,
  type EngineResult,
  type EngineVersion,
  engineHistory,
  engineResult,
} from './engine-result.ts';
import {
  type EngineAsk,
  type EngineCallOptions,
  type EngineTools,
  engineAsk,
  engineEvaluate,
  engineRecall,
  engineTools,
  recallOnce,
  type ToolDecision,
  type Validate,
  withToolDecision,
} from './engine-services.ts';
import type { Evaluate } from './evaluate-request.ts';
import { type Critique, EMPTY_HISTORY, type Evaluation, type History, type Hook } from './history.ts';
import type { RecalledText } from './lesson-schema.ts';
import { failureText, type ModelRequest, type StepCall } from './model-request.ts';
import { nextStep } from './next-step.ts';
import { performStep } from './perform-step.ts';
import { criterionPlaceholderProblems, placeholderProblems } from './placeholder-problems.ts';
import { fail, type Problem, type Result, succeed } from './problem.ts';
import { droppedVersions, withoutTexts } from './retained-versions.ts';
import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from './settings.ts';
import { spendOfCall } from './spend.ts';
import type { Ending, Step, StepResult } from './step.ts';
import { nextVersion, type StepContext } from './step-context.ts';
import type { Spend } from './token-usage.ts';
import { rejectUnscorableCases } from './unscorable-cases.ts';

/** Input of a loop: the input text, or a whole case. */
export type Task =
  | string
  | (Pick<Case, 'input'> & Partial<Omit<Case, 'criteria'>> & { criteria?: CaseCriteriaInput | null });

/** Evaluation of an output, and its problems with remedies. The critique is null if none is needed. Scores are from 0 to 1. */
export type Reflection = { evaluation: Evaluation; critique: Critique | null };

/** A decision. Undefined means `auto`, so a callback may also only observe. */
// biome-ignore lint/suspicious/noConfusingVoidType: callbacks such as `console.log` return void
type HookAnswer = ReflectionDecision | undefined | void;

export type EngineOptions = {
  settings: EngineSettings;
  /** Calls a model and returns a text, or a full response or failure. If it throws, the call failed. */
  ask: EngineAsk;
  /** Scores the criteria without a function, such as `evaluateOutput` of `lib/evaluators`. */
  evaluate?: Evaluate;
  /** Returns external lessons for a task, best first. The settings' `lessons` define if it is called and how many are used. */
  recall?: (task: Case) => RecalledText[] | Promise<RecalledText[]>;
  /** Tools for the agents of `generator.base`. They must include those named in the settings. */
  tools?: EngineTools;
  /** Called before each use of a tool that needs approval. */
  onToolCall?: (call: ToolCall) => ToolDecision | Promise<ToolDecision>;
  /** Called after each first draft or attempt, before it is evaluated. Iterations start at 0. */
  onGeneration?: (output: string, iteration: number) => HookAnswer | Promise<HookAnswer>;
  /** Called after each full evaluation, before the rules are applied. */
  onReflection?: (
    evaluation: Evaluation,
    iteration: number,
  ) => ReflectionDecision | undefined | Promise<ReflectionDecision | undefined>;
  /** Called after each revision, before it is evaluated. */
  onRevision?: (oldOutput: string, newOutput: string, iteration: number) => HookAnswer | Promise<HookAnswer>;
  now?: () => Date;
  newId?: () => string;
};

export type Engine = {
  /**
   * Performs a loop to its end. Model failures are part of the result. Only errors in code throw, such as a task without the reference that
   * a criterion needs. Rejects with the reason of `abortSignal` when it is aborted. `getHistory` then returns the history until that point.
   */
  execute(task: Task, options?: EngineCallOptions): Promise<EngineResult>;
  /** Scores an output and, unless it is satisfactory, critiques it, outside of a loop. */
  reflect(output: string, task?: Task, options?: EngineCallOptions): Promise<Result<Reflection>>;
  /** Revises an output once with a reflection on it, outside of a loop. */
  revise(output: string, reflection: Reflection, task?: Task, options?: EngineCallOptions): Promise<Result<string>>;
  /** Returns the history of the running loop, else of the last one. */
  getHistory(): EngineHistory;
  /** Returns the version that the settings' rule selects, or null if none is fully scored yet. */
  getBestVersion(): EngineVersion | null;
};

/**
 * Creates the loop of the app as a library: the same steps, stop rules and prompts, without a database. Performs one loop at a time.
 * Settings are as in the app, except that three callbacks replace pauses and webhooks. Throws for settings that are out of range. Source:
 * Reflection requirements 3.1 to 3.4.
 */
export function createEngine(options: EngineOptions): Engine {
  const { settings, validators } = readEngineSettings(options.settings, {
    evaluates: options.evaluate !== undefined,
    tools: options.tools?.definitions.map(({ name }) => name) ?? [],
    approves: options.onToolCall !== undefined,
  });
  const now = options.now ?? (() => new Date());
  let ids = 0;
  const newId = options.newId ?? (() => `${++ids}`);
  const shellFor = ({ abortSignal }: EngineCallOptions) => ({
    settings,
    call: engineAsk(options.ask, now, abortSignal),
    evaluate: engineEvaluate(validators, options.evaluate ?? null),
    ...(options.tools !== undefined && {
      toolDefinitions: options.tools.definitions,
      useTool: engineTools(options.tools, now, abortSignal),
    }),
    now,
    newId,
  });
  /** Settings of the running task, else of the last one. */
  let inForce = settings;
  let task: Case | null = null;
  let history: History = EMPTY_HISTORY;
  let ending: Ending | null = null;
  let isBusy = false;

  const execute = async (input: Task, callOptions: EngineCallOptions = {}): Promise<EngineResult> => {
    const { abortSignal } = callOptions;
    const shell = shellFor(callOptions);
    if (isBusy) throw new Error('this engine is already running. Wait for its result, or create another engine');
    const current = scorableCase(input, options, settings);
    isBusy = true;
    try {
      task = current;
      inForce = settingsForCase(settings, current);
      ending = null;
      history = { ...EMPTY_HISTORY, inputLength: current.input.length };
      const { call, paid } = recordSpend(shell.call, inForce);
      const recall = recallOnce(engineRecall(options.recall, inForce, current), () => history);
      for (;;) {
        abortSignal?.throwIfAborted();
        const step = nextStep(history, inForce, now());
        if (step.type === 'wait' && step.toolCall !== null && options.onToolCall !== undefined) {
          const answer = await options.onToolCall(step.toolCall);
          history = withToolDecision(history, step.toolCall, answer, now());
          continue;
        }
        const result = await perform(
          step,
          { ...shell, settings: inForce, call, history, case: current, recall },
          abortSignal,
        );
        history = { ...appendResult(history, result), calls: paid.length };
        if (result.type === 'end') {
          ending = result.ending;
          history = withoutTexts(history, droppedVersions(history, inForce, ending));
          return engineResult(history, ending, inForce, { task: current, paid });
        }
        const hookAnswer = await callHook(options, history, result);
        if (hookAnswer?.answer !== undefined)
          history = withCodeDecision(history, inForce, hookAnswer, hookAnswer.answer, now());
      }
    } finally {
      isBusy = false;
    }
  };

  const aside = (output: string, input: Task | undefined, callOptions: EngineCallOptions): StepContext => {
    const current = input === undefined ? task : caseOf(input);
    if (current === null) throw new Error('pass the task of the output, because nothing was executed yet');
    const own = settingsForCase(settings, current);
    return { ...shellFor(callOptions), settings: own, case: current, history: draftHistory(output, current, now) };
  };

  return {
    execute,
    async reflect(output, given, callOptions = {}) {
      const { abortSignal } = callOptions;
      const context = aside(output, given, callOptions);
      const judged = await perform({ type: 'evaluate', version: 0 }, context, abortSignal);
      if (judged.type !== 'evaluation') return unanswered(judged);
      const { evaluation } = judged;
      if (evaluation.satisfactory) return succeed({ evaluation, critique: null });
      const after = { ...context, history: appendResult(context.history, judged) };
      const criticized = await perform({ type: 'critique', version: 0, trigger: 'completion' }, after, abortSignal);
      return criticized.type === 'critique'
        ? succeed({ evaluation, critique: criticized.critique })
        : unanswered(criticized);
    },
    async revise(output, { evaluation, critique }, given, callOptions = {}) {
      const context = aside(output, given, callOptions);
      const reviewed = {
        ...context.history,
        evaluations: [{ ...evaluation, version: 0 }],
        critiques: critique === null ? [] : [{ ...critique, version: 0 }],
      };
      const step: Step = { type: 'revise', from: 0, iteration: 1, regressed: null };
      const made = await perform(step, { ...context, history: reviewed }, callOptions.abortSignal);
      return made.type === 'version' ? succeed(made.version.output) : unanswered(made);
    },
    getHistory: () => engineHistory(history, ending, inForce),
    getBestVersion() {
      const { versions, bestVersion } = engineHistory(history, ending, inForce);
      return versions.find(({ number }) => number === bestVersion) ?? null;
    },
  };
}

/** Calls the callback of a result's hook. Returns null if the result has none. */
async function callHook(
  { onGeneration, onReflection, onRevision }: EngineOptions,
  history: History,
  result: StepResult,
): Promise<{ hook: Hook; version: number; answer: HookAnswer } | null> {
  if (result.type === 'version') {
    const { number: version, output, iteration, origin, parents } = result.version;
    if (origin !== 'revised') return { hook: 'onGeneration', version, answer: await onGeneration?.(output, iteration) };
    const answer = await onRevision?.(outputOf(history, parents[0]), output, iteration);
    return { hook: 'onRevision', version, answer };
  }
  if (result.type !== 'evaluation' || result.evaluation.status !== 'scored') return null;
  const { evaluation } = result;
  const iteration = history.versions.find(({ number }) => number === evaluation.version)?.iteration ?? 0;
  const answer = await onReflection?.(evaluation, iteration);
  return { hook: 'onReflection', version: evaluation.version, answer };
}

/**
 * Wraps `call` to record the spend of each call, within the limit of calls. Responses to a step that failed later were also paid for, but
 * are in no record.
 */
export function recordSpend(call: StepCall, settings: ExperimentSettings): { call: StepCall; paid: Spend[] } {
  const paid: Spend[] = [];
  const recorded = async (request: ModelRequest, step: number) => {
    const outcome = await call(step, request);
    paid.push(spendOfCall(outcome));
    return outcome;
  };
  const limited = withCallLimit(recorded, settings, 0);
  return { call: (step, request) => limited(request, step), paid };
}

/** Performs a step. Throws the signal's reason if it was aborted, and an error if the step waits for a person. */
export async function perform(step: Step, context: StepContext, abortSignal?: AbortSignal): Promise<StepResult> {
  const result = await performStep(step, context);
  if (result === null) abortSignal?.throwIfAborted();
  if (result === null) throw new Error('a call was canceled, but not by the caller');
  if (result.type === 'pause')
    throw new Error('the loop waits for a person, but an engine has none. Decide in onReflection');
  return result;
}

/** Returns the case of a task. Throws if a criterion cannot score it. */
function scorableCase(task: Task, { evaluate }: EngineOptions, settings: ExperimentSettings): Case {
  const current = caseOf(task);
  refuseOwnCriteria(settings, current, evaluate !== undefined);
  const refusal = rejectUnscorableCases(settings, [current], { code: 'invalid', field: (_place, lacks) => lacks });
  if (refusal !== null) throw new Error(`${fieldOf(refusal.problem)}: ${refusal.problem.message}`);
  return current;
}

function fieldOf({ field }: Problem): string {
  return field === 'number' ? 'reference' : (field ?? 'task');
}

function caseOf(task: Task): Case {
  const nothing = { reference: null, tags: [], metadata: {} };
  if (typeof task === 'string') return { ...nothing, input: task };
  const { criteria, ...rest } = task;
  return { ...nothing, ...rest, criteria: criteria ? readTaskCriteria(criteria) : null };
}

function outputOf(history: History, number: number | undefined): string {
  return history.versions.find((version) => version.number === number)?.output ?? '';
}

function unanswered(result: StepResult): Result<never> {
  if (result.type !== 'failure') throw new Error(`unexpected step result: ${result.type}`);
  return fail('unavailable', failureText(result.failure));
}

function draftHistory(output: string, task: Case, now: () => Date): History {
  const history = { ...EMPTY_HISTORY, inputLength: task.input.length };
  const draft = nextVersion({ history, now }, { iteration: 0, origin: 'generated', output });
  return { ...history, step: 1, versions: [draft] };
}

type CriterionInput = NonNullable<ExperimentSettingsInput['criteria']>[number];
/** A criterion that a function scores. Defaults: weight 1 and no threshold. */
type CodeCriterion = Partial<Pick<Criterion, 'description' | 'weight' | 'threshold'>> & {
  name: string;
  validate: Validate;
};

/** Settings of an experiment, with functions as criteria. The default mode is `revise`. */
export type EngineSettings = Omit<ExperimentSettingsInput, 'criteria' | 'mode'> & {
  mode?: ExperimentSettingsInput['mode'];
  /** Default: the criteria of the `taskType`, scored by `evaluate`. `custom` has none. */
  criteria?: (CriterionInput | CodeCriterion)[];
};

type EngineAbilities = { evaluates: boolean; tools: readonly string[]; approves: boolean; tunes?: boolean };

/** Parses an engine's settings. Throws an error with the invalid setting, its value and its range. */
export function readEngineSettings(
  input: EngineSettings,
  can: EngineAbilities,
): { settings: ExperimentSettings; validators: ReadonlyMap<string, Validate> } {
  const validators = new Map<string, Validate>();
  const criteria = input.criteria?.map((criterion) => {
    if (!('validate' in criterion)) return criterion;
    const { validate, ...shared } = criterion;
    validators.set(criterion.name.trim(), validate);
    // Settings are data without functions. A pattern that matches anything is a placeholder, and is never evaluated.
    return { ...shared, evaluator: 'regex' as const, config: { pattern: '(?:)' } };
  });
  const read = settingsSchema.safeParse({ mode: 'revise', ...input, criteria });
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(issue === undefined ? z.prettifyError(read.error) : `${issue.path.join('.')}: ${issue.message}`);
  }
  const settings = read.data;
  const [placeholder] = placeholderProblems(settings);
  if (placeholder !== undefined) throw new Error(`${placeholder.path.join('.')}: ${placeholder.message}`);
  const [problem] = engineProblems(settings, can, (name) => validators.has(name));
  if (problem !== undefined) throw new Error(problem);
  return { settings, validators };
}

function* engineProblems(
  { mode, generator: { base, target }, callbacks, evaluation: { confidence }, criteria }: ExperimentSettings,
  can: EngineAbilities,
  hasFunction: (criterion: string) => boolean,
): Generator<string> {
  if (mode === 'tune' && can.tunes !== true)
    yield 'mode: an engine loops over one task. Use tunePrompt to tune a prompt over cases';
  if (target !== null) yield 'generator.target: an engine calls models through "ask". Call your app there';
  const { pause, review, webhook, escalate } = callbacks;
  if (escalate) yield `callbacks.escalate${NO_PERSON} in onReflection`;
  if (pause !== 'never') yield `callbacks.pause${NO_PERSON} in onReflection`;
  if (webhook !== null) yield `callbacks.webhook${NO_PERSON} in onReflection`;
  if (review.drafts) yield `callbacks.review.drafts${NO_PERSON} in onGeneration`;
  if (review.revisions) yield `callbacks.review.revisions${NO_PERSON} in onRevision`;
  if (confidence.below !== null && confidence.action === 'ask')
    yield 'evaluation.confidence.action: an engine cannot ask a person. Use rejudge or unscored';
  const missing = usedTools(base).find((tool) => !can.tools.includes(tool));
  if (missing !== undefined) yield `generator.base: the engine's "tools" do not contain ${missing}`;
  if (base.type !== 'single' && base.approve.length > 0 && !can.approves)
    yield `generator.base.approve${NO_PERSON} in onToolCall`;
  const human = criteria.find(waitsForPerson);
  if (human !== undefined)
    yield `criteria: ${human.name} waits for a person, but an engine has none. Give it a function`;
  const orphan = criteria.find(({ name }) => !hasFunction(name));
  if (orphan !== undefined && !can.evaluates)
    yield `criteria: ${orphan.name} (${orphan.evaluator}) needs "evaluate" or its own function`;
}

const NO_PERSON = ': an engine cannot wait for a person. Decide';

/** Parses the criteria of a task. Throws an error with the invalid part. */
function readTaskCriteria(input: CaseCriteriaInput): CaseCriteria {
  const read = caseCriteriaSchema.safeParse(input);
  if (read.success) {
    for (const [position, criterion] of read.data.add.entries()) {
      const [found] = criterionPlaceholderProblems(criterion);
      if (found === undefined) continue;
      throw new Error(`${['criteria', 'add', position, ...found.path].join('.')}: ${found.message}`);
    }
    return read.data;
  }
  const [issue] = read.error.issues;
  throw new Error(`${['criteria', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'does not fit'}`);
}

/** Throws if the criteria of a task are incompatible with the settings, or need something that an engine does not have. */
function refuseOwnCriteria(settings: ExperimentSettings, task: Case, evaluates: boolean): void {
  const refusal = refuseCaseCriteria(settings, [task], { code: 'invalid', field: (_place, path) => path });
  if (refusal !== null) throw new Error(refusal.problem.message);
  const added = task.criteria?.add ?? [];
  const human = added.find(waitsForPerson);
  if (human !== undefined) throw new Error(`criteria: ${human.name} waits for a person, but an engine has none`);
  const [first] = added;
  if (first !== undefined && !evaluates)
    throw new Error(`criteria: ${first.name} (${first.evaluator}) needs "evaluate"`);
}
