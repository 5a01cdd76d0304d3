import { appendResult } from '#lib/core/append-result.ts';
import { bestVersion } from '#lib/core/best-version.ts';
import type { Case } from '#lib/core/case.ts';
import { type EngineHistory, type EngineResult, engineHistory, engineResult } from '#lib/core/engine-result.ts';
import { engineAsk, engineEvaluate, engineRecall } from '#lib/core/engine-services.ts';
import { readEngineSettings } from '#lib/core/engine-settings.ts';
import type { Evaluate } from '#lib/core/evaluate-request.ts';
import { EMPTY_HISTORY, type History } from '#lib/core/history.ts';
import type { RecalledText } from '#lib/core/lesson-schema.ts';
import type { StepCall } from '#lib/core/model-request.ts';
import { nextStep } from '#lib/core/next-step.ts';
import { performStep } from '#lib/core/perform-step.ts';
import { spendOfCall } from '#lib/core/spend.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import { splitCases, splitProblem, tuningSettingsProblem } from '#lib/experiments/split-cases.ts';
import { recallQuestion } from '#lib/lessons/recall-question.ts';
import { type TuningGain, tuningGain } from '#lib/statistics/tuning-gain.ts';
import { type EngineModels, type EngineSettings, readModels } from './create-engine.ts';

export type TunePromptOptions = EngineModels & {
  /** The prompt to begin with. `{{input}}` is replaced with the input of a case. */
  prompt: string;
  cases: readonly (Pick<Case, 'input'> & Partial<Omit<Case, 'criteria'>>)[];
  /** What to score, and how many rounds to make (`maxIterations`, `tune`). */
  settings?: Omit<EngineSettings, 'mode'>;
  /** Scores the criteria without a function; the app's evaluators by default. */
  evaluate?: Evaluate;
  /** Lessons of yours for the reflection model, within the settings of `lessons`. The input of the task is the prompt and some training cases. */
  recall?: (task: Case) => RecalledText[] | Promise<RecalledText[]>;
  /** Ends tuning early: the promise rejects with the signal's reason. */
  abortSignal?: AbortSignal;
  now?: () => Date;
};

/** The result of tuning. `prompt` is the best prompt. `gain`: its gain over the first prompt, null if that is still the best. */
export type TunedPrompt = Pick<
  EngineResult,
  'convergenceReason' | 'failure' | 'tokenUsage' | 'costUsd' | 'unpriced'
> & {
  prompt: string;
  gain: TuningGain | null;
  history: EngineHistory;
};

/** Improves a prompt over cases, as tune mode of the app does, without a database. Throws for settings that are out of range. */
export async function tunePrompt(options: TunePromptOptions): Promise<TunedPrompt> {
  const { prompt, abortSignal, now = () => new Date() } = options;
  const { ask, settings: given } = readModels({ ...options, settings: { ...options.settings, mode: 'tune' } });
  const { settings, validators } = readEngineSettings(
    { ...given, prompts: { ...given.prompts, generate: prompt } },
    { evaluates: true, tools: [], approves: false, tunes: true },
  );
  const refusal = tuningSettingsProblem(settings);
  if (refusal !== null) throw new Error(refusal.problem.message);
  const nothing = { reference: null, tags: [], metadata: {} };
  const cases = splitCases(
    options.cases.map((one) => ({ ...nothing, ...one })),
    settings.tune,
  );
  const problem = splitProblem(cases, settings.tune);
  if (problem !== null) throw new Error(`cases: ${problem}`);

  const evaluate = engineEvaluate(validators, options.evaluate ?? evaluateAlone);
  const askOnce = engineAsk(ask, now, abortSignal);
  const paid: Spend[] = [];
  const call: StepCall = async (step, request) => {
    const outcome = await askOnce(step, request);
    paid.push(spendOfCall(outcome));
    return outcome;
  };
  const task: Case = { ...nothing, input: `${cases.length} cases` };
  let history: History = { ...EMPTY_HISTORY, inputLength: task.input.length, cases };
  let ids = 0;
  for (;;) {
    abortSignal?.throwIfAborted();
    const result = await performStep(nextStep(history, settings, now()), {
      ...{ history, settings, case: task, call, evaluate, now, newId: () => `${++ids}` },
      recall: engineRecall(options.recall, settings, { ...task, input: recallQuestion(history, settings) }),
      callsMade: () => paid.length,
    });
    if (result === null) {
      abortSignal?.throwIfAborted();
      throw new Error('a call was aborted, but not by the caller');
    }
    if (result.type === 'pause') throw new Error('callbacks: nobody can decide while a prompt is tuned');
    history = { ...appendResult(history, result), calls: paid.length };
    if (result.type !== 'end') continue;
    const { convergenceReason, failure, tokenUsage, costUsd, unpriced } = engineResult(
      history,
      result.ending,
      settings,
      {
        ...{ task, paid },
      },
    );
    const best = bestVersion(history, settings.bestVersion);
    return {
      ...{ convergenceReason, failure, tokenUsage, costUsd, unpriced },
      prompt: history.versions.find(({ number }) => number === best)?.output ?? prompt,
      gain: tuningGain(history, settings),
      history: engineHistory(history, result.ending, settings),
    };
  }
}
