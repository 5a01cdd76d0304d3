import type { ToolCall } from './agents/agent-records.ts';
import { appendResult } from './append-result.ts';
import type { Case } from './case.ts';
import { settingsForCase } from './case-criteria.ts';
import type { CaseCriteriaInput } from './case-criteria-schema.ts';
import { type ReflectionDecision, withCodeDecision } from './code-decision.ts';
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
  withToolDecision,
} from './engine-services.ts';
import { type EngineSettings, readEngineSettings, readTaskCriteria, refuseOwnCriteria } from './engine-settings.ts';
import type { Evaluate } from './evaluate-request.ts';
import { type Critique, EMPTY_HISTORY, type Evaluation, type History, type Hook, NEW_VERSION } from './history.ts';
import type { RecalledText } from './lesson-schema.ts';
import { failureText, type StepCall } from './model-request.ts';
import { nextStep } from './next-step.ts';
import { performStep } from './perform-step.ts';
import { fail, type Problem, type Result, succeed } from './problem.ts';
import { droppedVersions, withoutTexts } from './retained-versions.ts';
import { spendOfCall } from './spend.ts';
import type { Ending, Step, StepResult } from './step.ts';
import type { StepContext } from './step-context.ts';
import type { Spend } from './token-usage.ts';
import { refuseUnscorable } from './unscorable-cases.ts';

/** What an engine loops over: the input alone, or a whole case. */
export type Task =
  | string
  | (Pick<Case, 'input'> & Partial<Omit<Case, 'criteria'>> & { criteria?: CaseCriteriaInput | null });

/** What is wrong with an output, and how to mend it; no critique where nothing needs one. Scores run from 0 to 1. */
export type Reflection = { evaluation: Evaluation; critique: Critique | null };

/** A decision, or nothing, which is `auto`: a callback may also just listen. */
// biome-ignore lint/suspicious/noConfusingVoidType: one that listens, such as `console.log`, answers void
type HookAnswer = ReflectionDecision | undefined | void;

export type EngineOptions = {
  settings: EngineSettings;
  /** Answers a model's question: a text, or a reply or failure with all its particulars. One that throws is a failed call. */
  ask: EngineAsk;
  /** Scores the criteria that have no function of their own, such as `evaluateOutput` of the evaluators' room. */
  evaluate?: Evaluate;
  /** Lessons from elsewhere for a task, the best first; the settings' `lessons` say whether it is asked and how many are taken. */
  recall?: (task: Case) => RecalledText[] | Promise<RecalledText[]>;
  /** The tools that the agents of `generator.base` may use; those that the settings name must be among them. */
  tools?: EngineTools;
  /** Before each use of a tool that the settings have approved. */
  onToolCall?: (call: ToolCall) => ToolDecision | Promise<ToolDecision>;
  /** After each first draft or attempt, before it is evaluated and paid for. Iterations count from 0. */
  onGeneration?: (output: string, iteration: number) => HookAnswer | Promise<HookAnswer>;
  /** After each full evaluation, before the rules look at it. */
  onReflection?: (
    evaluation: Evaluation,
    iteration: number,
  ) => ReflectionDecision | undefined | Promise<ReflectionDecision | undefined>;
  /** After each revision, before it is evaluated and paid for. */
  onRevision?: (oldOutput: string, newOutput: string, iteration: number) => HookAnswer | Promise<HookAnswer>;
  now?: () => Date;
  newId?: () => string;
};

export type Engine = {
  /**
   * Performs a loop to its end. What fails in a model is told in the result; only mistakes in code throw, such as a task without the
   * reference that a criterion compares with. With `abortSignal`, it rejects with the signal's reason once that is aborted; `getHistory`
   * has what was made until then.
   */
  execute(task: Task, options?: EngineCallOptions): Promise<EngineResult>;
  /** Scores an output and, unless it is satisfactory, says what is wrong with it; apart from any loop. */
  reflect(output: string, task?: Task, options?: EngineCallOptions): Promise<Result<Reflection>>;
  /** One revision of an output by a reflection on it; apart from any loop. */
  revise(output: string, reflection: Reflection, task?: Task, options?: EngineCallOptions): Promise<Result<string>>;
  /** The loop so far: of the one under way, else of the last. */
  getHistory(): EngineHistory;
  /** The version that the settings' rule picks; null while none is fully scored. */
  getBestVersion(): EngineVersion | null;
};

/**
 * The loop of the app as a library: the same steps, stop rules and prompts, without a database. One loop at a time; settings as
 * in the app, but for pauses and webhooks, whose place the three callbacks take. Throws for settings that are out of range.
 * Source: Reflection requirements 3.1 to 3.4.
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
  /** The settings of the task under way, else of the last. */
  let inForce = settings;
  let task: Case | null = null;
  let history: History = EMPTY_HISTORY;
  let ending: Ending | null = null;
  let isBusy = false;

  const execute = async (given: Task, callOptions: EngineCallOptions = {}): Promise<EngineResult> => {
    const { abortSignal } = callOptions;
    const shell = shellFor(callOptions);
    if (isBusy) throw new Error('this engine is already running. Wait for its result, or create another engine');
    const current = caseOf(given);
    refuseOwnCriteria(settings, current, options.evaluate !== undefined);
    const refusal = refuseUnscorable(settings, [current], { code: 'invalid', field: (_place, lacks) => lacks });
    if (refusal !== null) throw new Error(`${fieldOf(refusal.problem)}: ${refusal.problem.message}`);
    isBusy = true;
    try {
      task = current;
      inForce = settingsForCase(settings, current);
      ending = null;
      history = { ...EMPTY_HISTORY, inputLength: current.input.length };
      // Also replies to a step that then failed were paid for, and stand in no record.
      const paid: Spend[] = [];
      const call: StepCall = async (step, request) => {
        const outcome = await shell.call(step, request);
        paid.push(spendOfCall(outcome));
        return outcome;
      };
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
        history = appendResult(history, result);
        if (result.type === 'end') {
          ending = result.ending;
          history = withoutTexts(history, droppedVersions(history, inForce, ending));
          return engineResult(history, ending, inForce, { task: current, paid });
        }
        await tell(result);
      }
    } finally {
      isBusy = false;
    }
  };

  /** Asks the code at the hook that a result comes to, if any, and takes what it decides. */
  const tell = async (result: StepResult): Promise<void> => {
    const asked = await answerTo(result);
    if (asked === null || asked.answer === undefined) return;
    history = withCodeDecision(history, inForce, asked, asked.answer, now());
  };

  const answerTo = async (result: StepResult): Promise<{ hook: Hook; version: number; answer: HookAnswer } | null> => {
    if (result.type === 'version') {
      const { number: version, output, iteration, origin, parents } = result.version;
      return origin === 'revised'
        ? {
            hook: 'onRevision',
            version,
            answer: await options.onRevision?.(outputOf(history, parents[0]), output, iteration),
          }
        : { hook: 'onGeneration', version, answer: await options.onGeneration?.(output, iteration) };
    }
    if (result.type !== 'evaluation' || result.evaluation.status !== 'scored') return null;
    const { evaluation } = result;
    const iteration = history.versions.find(({ number }) => number === evaluation.version)?.iteration ?? 0;
    const answer = await options.onReflection?.(evaluation, iteration);
    return { hook: 'onReflection', version: evaluation.version, answer };
  };

  const aside = (output: string, given: Task | undefined, callOptions: EngineCallOptions): StepContext => {
    const current = given === undefined ? task : caseOf(given);
    if (current === null) throw new Error('say which task the output is for: nothing was executed yet');
    const own = settingsForCase(settings, current);
    return { ...shellFor(callOptions), settings: own, case: current, history: draftHistory(output, current, now()) };
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
      const said = await perform({ type: 'critique', version: 0, trigger: 'completion' }, after, abortSignal);
      return said.type === 'critique' ? succeed({ evaluation, critique: said.critique }) : unanswered(said);
    },
    async revise(output, { evaluation, critique }, given, callOptions = {}) {
      const context = aside(output, given, callOptions);
      const told = {
        ...context.history,
        evaluations: [{ ...evaluation, version: 0 }],
        critiques: critique === null ? [] : [{ ...critique, version: 0 }],
      };
      const step: Step = { type: 'revise', from: 0, iteration: 1, regressed: null };
      const made = await perform(step, { ...context, history: told }, callOptions.abortSignal);
      return made.type === 'version' ? succeed(made.version.output) : unanswered(made);
    },
    getHistory: () => engineHistory(history, ending, inForce),
    getBestVersion() {
      const { versions, bestVersion } = engineHistory(history, ending, inForce);
      return versions.find(({ number }) => number === bestVersion) ?? null;
    },
  };
}

async function perform(step: Step, context: StepContext, abortSignal?: AbortSignal): Promise<StepResult> {
  const result = await performStep(step, context);
  if (result === null) abortSignal?.throwIfAborted();
  if (result === null) throw new Error('a call was called off, which nothing in an engine does');
  if (result.type === 'pause') throw new Error('the loop waits for a person, and an engine has none: use onReflection');
  return result;
}

/** The part of the task at fault. */
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
  if (result.type !== 'failure') throw new Error(`a step came to ${result.type}`);
  return fail('unavailable', failureText(result.failure));
}

/** A loop that begins with an output somebody brings along. */
function draftHistory(output: string, task: Case, now: Date): History {
  return {
    ...EMPTY_HISTORY,
    inputLength: task.input.length,
    step: 1,
    versions: [
      {
        ...NEW_VERSION,
        number: 0,
        iteration: 0,
        origin: 'generated',
        output,
        createdAt: now.toISOString(),
        step: 0,
      },
    ],
  };
}
