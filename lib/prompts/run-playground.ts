import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { inputOfMessages } from '#lib/core/chat/message-content.ts';
import { problemWithin, type Result, succeed } from '#lib/core/problem.ts';
import { rejectUnscorableCases } from '#lib/core/unscorable-cases.ts';
import { protectFiles } from '#lib/files/stored-files.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { evaluatePrompt } from './evaluate-prompt.ts';
import type { EvaluationEvent } from './evaluation-schema.ts';
import type { EvaluationPlan } from './plan-evaluation.ts';
import { savePlaygroundRun } from './playground-runs.ts';
import {
  type PlaygroundAnswer,
  type PlaygroundEvent,
  type PlaygroundInput,
  type PlaygroundSetup,
  playgroundInputSchema,
} from './playground-schema.ts';
import { withDefaultsOf } from './prompt-library.ts';
import { readPromptSetup } from './prompt-setup.ts';
import { findPromptSetup, promptNotFound } from './queries.ts';
import { refuseOptions } from './save-prompt-version.ts';

type PlaygroundPlan = { input: Omit<PlaygroundInput, 'setup'> & { setup: PlaygroundSetup }; plan: EvaluationPlan };

/** Validates a playground run. A refusal names the invalid field of the request. */
export async function planPlayground(context: AppContext, sent: unknown): Promise<Result<PlaygroundPlan>> {
  const parsed = parseInput(playgroundInputSchema, sent);
  if (!parsed.ok) return parsed;
  const input = parsed.value;
  if (input.prompt !== null && (await findPromptSetup(context.database, input.prompt)) === null)
    return promptNotFound(input.prompt);
  const setup = await readPromptSetup(context, await withDefaultsOf(context, { ...input.setup, datasetId: null }));
  if (!setup.ok) return { ok: false, problem: problemWithin('setup', setup.problem) };
  const unusable = await refuseOptions(input);
  if (unusable !== null) return unusable;
  const { criteria, models } = setup.value;
  const tasks = input.cases.map((one, position) => ({
    ...one,
    input: one.messages === null ? one.input : inputOfMessages(one.messages),
    ...{ tags: [], position, split: 'train' as const },
  }));
  const missing = await protectFiles(
    context.database.prisma,
    tasks.map(({ messages }) => (messages === null ? {} : { messages })),
    context.now(),
    (at) => `cases.${at}.messages`,
  );
  if (missing !== null) return missing;
  const scoring = { criteria, prompts: { evaluate: null }, mode: 'tune' as const, embeddingModel: null };
  const refusal = rejectUnscorableCases(scoring, tasks, { code: 'invalid', field: (at) => `cases.${at}.reference` });
  if (refusal !== null) return refusal;
  const cells = tasks.flatMap((task) =>
    models.map((_, model) => ({
      ...{ text: 0, model, position: task.position, task, stored: null },
      key: `${model} ${task.position}`,
    })),
  );
  const { text, tools, responseSchema } = input;
  const texts = [{ text, tools, responseSchema }];
  const plan = { name: null, setup: setup.value, texts, models, cells, skipped: [], calls: cells.length };
  return succeed({
    input: { ...input, setup: withoutDataset(setup.value) },
    plan: { ...plan, pay: true, again: false },
  });
}

function withoutDataset({ datasetId: _, ...setup }: EvaluationPlan['setup']): PlaygroundSetup {
  return setup;
}

type Options = { signal: AbortSignal; emit: (event: PlaygroundEvent) => void; call?: ModelCaller };

/** Maximum characters saved of a response. */
const KEPT_CHARACTERS = 20_000;

/** Runs every case with every model and streams the responses. Then saves the run with the completed responses. */
export async function runPlayground(
  context: AppContext,
  actor: Actor,
  { input, plan }: PlaygroundPlan,
  { signal, emit, call }: Options,
): Promise<void> {
  const answers: PlaygroundAnswer[] = [];
  await evaluatePrompt(context, plan, {
    signal,
    call,
    emit: (event) => {
      const answer = answerOf(event);
      if (answer !== null) answers.push(answer);
      emit(event);
    },
  });
  if (answers.length === 0) return;
  // Responses may complete in a different order than requested.
  answers.sort((one, other) => one.case - other.case || one.model - other.model);
  const { prompt, ...rest } = input;
  const run = { id: context.newId(), createdAt: context.now().toISOString(), ...rest, answers };
  await savePlaygroundRun(context, actor, prompt, run);
  emit({ type: 'kept', run });
}

function answerOf(event: EvaluationEvent): PlaygroundAnswer | null {
  if (event.type === 'failed') {
    const { model, position, message, remedy } = event;
    return { state: 'failed', model, case: position, message, remedy };
  }
  if (event.type !== 'proof') return null;
  const { output, score, satisfactory, criteriaScores, detail, ...spent } = event.proof;
  const { inputTokens, outputTokens, costUsd, durationMs } = spent;
  return {
    ...{ state: 'made', model: event.model, case: event.position },
    ...{ output: output.slice(0, KEPT_CHARACTERS), score, satisfactory, criteriaScores, detail },
    ...{ inputTokens, outputTokens, costUsd, durationMs },
  };
}
