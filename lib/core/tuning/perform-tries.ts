import { callsOfEvaluation } from '#lib/core/criterion.ts';
import { FIRST_OUTPUT_TOKENS, findExceededBudgets } from '#lib/core/estimate-next-step.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import { spendsOf, sumSpend } from '#lib/core/spend.ts';
import { failedStep, type StepContext, stamp } from '#lib/core/step-context.ts';
import { agentOfTries } from '../agents/agent-progress.ts';
import { NO_TOOLS } from '../agents/perform-tools.ts';
import { CHARACTERS_PER_TOKEN } from '../estimated-tokens.ts';
import { type ExampleScore, type History, type TuningCase, versionNumbered } from '../history.ts';
import type { ModelOutcome, ModelRequest } from '../model-request.ts';
import { isReusedResponse } from '../reused-responses.ts';
import type { StepResult } from '../step.ts';
import { type AgentServices, type PromptTryOutcome, tryPromptCase } from '../try-prompt-case.ts';
import { parametersOf } from './candidate-parameters.ts';
import { repeatedScores, scoresOfText } from './case-scores.ts';
import { EXAMPLE_SCORES_STEP, type TryStep, toolUsesOf } from './due-try.ts';

/** Maximum number of example scores in flight. */
export const TRIES_AT_A_TIME = 32;
/**
 * Maximum number of example scores in flight until the cost of one is known, if a budget limits tokens or cost. Turns of an agent differ
 * too much to estimate.
 */
const INITIAL_CONCURRENCY = 8;
const INITIAL_AGENT_CONCURRENCY = 1;

type FailedTry = Extract<PromptTryOutcome, { ok: false }>;

/**
 * Scores versions on the cases of a step, several in parallel. Each one only starts while no budget is used up, and those in flight count
 * with their expected cost. Completed scores are kept even if another case's call failed or was aborted, and only those cases are due
 * again. Returns null if all were aborted.
 */
export async function scoreExamples(step: TryStep, context: StepContext): Promise<StepResult | null> {
  const { history, settings } = context;
  const startedAt = context.now().getTime();
  const tasks = step.parts.flatMap(({ version, positions }) => positions.map((position) => ({ version, position })));
  const done = new Map<number, ExampleScore>();
  const failed: FailedTry[] = [];
  let next = 0;
  let inFlight = 0;
  let made = 0;
  const firstTry = Promise.withResolvers<void>();

  const call = async (request: ModelRequest): Promise<ModelOutcome> => {
    const outcome = await context.call(history.step, request);
    if (outcome.ok ? !isReusedResponse(outcome.reply) : outcome.failure.kind !== 'aborted') made++;
    return outcome;
  };
  const soFar = (): History => ({
    ...history,
    tries: [...history.tries, ...done.values()],
    lostSpend: sumSpend([history.lostSpend, ...failed.map(({ spend }) => spend)]),
    calls: context.callsMade?.() ?? history.calls + made,
    activeMs: history.activeMs + context.now().getTime() - startedAt,
  });
  // The first one is within the budgets, otherwise the step would not be due.
  const mayBegin = () =>
    next === 0 || (failed.length === 0 && findExceededBudgets(step, soFar(), settings, inFlight + 1).length === 0);

  const work = async () => {
    while (next < tasks.length && mayBegin()) {
      const index = next++;
      const planned = tasks[index];
      if (planned === undefined) return;
      const { version } = planned;
      const task = caseAt(history, planned.position);
      const earlier = triesOn(history, version, task.position);
      const repeat = repeatedScores(scoresOfText(history, version)).get(task.position)?.length ?? 0;
      inFlight++;
      const outcome = await tryPromptCase({
        settings,
        case: task,
        prompt: versionNumbered(history, version).output,
        parameters: parametersOf(history, version),
        call,
        agent: agentServices(context, planned, repeat),
        evaluate: context.evaluate,
        index,
        attempt: earlier.length - (earlier.findLastIndex(({ score }) => score !== null) + 1),
        repeat,
        // A validation case may become a training case, but a held-out one never does.
        mayQuoteReference: settings.tune.references && task.split !== 'held_out',
        // A content filter would refuse the case again, so that one such case would end the run.
        scoresRefusals: true,
      });
      inFlight--;
      firstTry.resolve();
      if (outcome.ok) {
        const { position } = task;
        done.set(index, { ...outcome.tried, version, position, attempt: earlier.length, ...stamp(context) });
      } else failed.push(outcome);
    }
  };
  const { maxTokens, maxCostUsd } = settings.budget;
  const isCostKnown = history.tries.some(({ paidBefore }) => !paidBefore);
  const atFirst =
    (maxTokens !== null || maxCostUsd !== null) && !isCostKnown
      ? await firstConcurrency(step, context)
      : TRIES_AT_A_TIME;
  const begun = Promise.all(Array.from({ length: atFirst }, work));
  await Promise.race([firstTry.promise, begun]);
  await Promise.all([begun, ...Array.from({ length: TRIES_AT_A_TIME - atFirst }, work)]);

  const tries = [...done].sort(([one], [other]) => one - other).map(([, tried]) => tried);
  if (tries.length > 0)
    return {
      type: 'tries',
      tries,
      durationMs: context.now().getTime() - startedAt,
      lost: sumSpend(failed.map(({ spend }) => spend)),
    };
  const [first] = failed.filter(({ failure }) => failure.kind !== 'aborted');
  if (first === undefined) return null;
  return failedStep(context, first.role, first.failure, sumSpend(failed.map(({ spend }) => spend)));
}

/**
 * Returns the number of example scores to start before the cost of one is known. If the models have prices, no more than the rest of the
 * cost budget probably allows, but at least one.
 */
async function firstConcurrency({ parts }: TryStep, { history, settings, priceOf }: StepContext): Promise<number> {
  if (agentOfTries(settings) !== null) return INITIAL_AGENT_CONCURRENCY;
  const { maxCostUsd } = settings.budget;
  const [first] = parts;
  if (maxCostUsd === null || first === undefined || priceOf === undefined) return INITIAL_CONCURRENCY;
  const caseLength = Math.max(
    ...parts.flatMap(({ positions }) => positions.map((at) => caseAt(history, at).input.length)),
  );
  const promptLength = versionNumbered(history, first.version).output.length;
  const answer = { input: Math.ceil((promptLength + caseLength) / CHARACTERS_PER_TOKEN), output: FIRST_OUTPUT_TOKENS };
  const judging = { input: answer.input + answer.output, output: FIRST_OUTPUT_TOKENS };
  const judgeCalls = callsOfEvaluation(settings);
  const [answerUsd, judgeUsd] = await Promise.all([
    priceOf(parametersOf(history, first.version).model ?? modelFor(settings, 'generate'), answer),
    judgeCalls === 0 ? 0 : priceOf(modelFor(settings, 'evaluate'), judging),
  ]);
  const tryUsd = (answerUsd ?? 0) + judgeCalls * (judgeUsd ?? 0);
  if (tryUsd === 0) return INITIAL_CONCURRENCY;
  const spentUsd = spendsOf(history).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  return Math.min(INITIAL_CONCURRENCY, Math.max(1, Math.floor((maxCostUsd - spentUsd) / tryUsd)));
}

/**
 * Returns the tools for an agent that answers a case. Call ids contain the candidate, the case and the repeat (from 0), so that a later
 * step that retries the case reuses the saved results.
 */
export function agentServices(
  { history, toolDefinitions = [], useTool, now }: StepContext,
  example: Pick<ExampleScore, 'version' | 'position'>,
  repeat: number,
): AgentServices {
  const before = `${toolUsesOf(history, example)}${repeat}/`;
  return {
    toolDefinitions,
    now,
    useTool: async (call) => useTool?.(EXAMPLE_SCORES_STEP, { ...call, id: `${before}${call.id}` }) ?? NO_TOOLS,
  };
}

function caseAt({ cases }: Pick<History, 'cases'>, position: number): TuningCase {
  const found = cases.find((one) => one.position === position);
  if (found === undefined) throw new Error(`the run has no case ${position}`);
  return found;
}

function triesOn({ tries }: Pick<History, 'tries'>, version: number, position: number): ExampleScore[] {
  return tries.filter((one) => one.version === version && one.position === position);
}
