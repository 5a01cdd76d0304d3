import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import { createEngine } from '#lib/core/engine.ts';
import { engineHistory } from '#lib/core/engine-result.ts';
import { endingOf } from '#lib/core/next-step.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import type { ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { verdict } from '#lib/testing/scripted-loop.test-support.ts';
import { queuedRun, storedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { makeToolbox, type Toolbox } from '#lib/tools/toolbox.ts';
import { ECHO, echoTool } from './agent-run.test-support.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const INPUT = 'Say where we are.';
const PLACES = ['Rome', 'Rome.', 'the city of Rome', 'Oslo, in the north', ''];

/** `turns`: the agent's action in each of its turns. */
type Script = { scores: number[]; drafts: number[]; issues: boolean[]; refusedAt: number[]; turns: Turn[] };
type Turn = 'use' | 'many' | 'again' | 'unknown' | 'nothing' | 'answer';

function useIn(turn: Exclude<Turn, 'answer' | 'nothing'>, at: number): ToolCall {
  const text = turn === 'again' ? 'again' : `${at}`;
  return { id: 'theirs', tool: turn === 'unknown' ? 'teleport' : ECHO, arguments: JSON.stringify({ text }) };
}

/** Selects each response by the position of the call within its role, so equal sequences of calls get equal responses. */
function scriptedModel({ scores, drafts, issues, refusedAt, turns }: Script) {
  const asked = new Map<string, number>();
  let calls = 0;
  return async (request: ModelRequest): Promise<ModelOutcome> => {
    const at = asked.get(request.role) ?? 0;
    asked.set(request.role, at + 1);
    const spend = { tokenUsage: { input: 10 + at, output: 5, total: 15 + at }, costUsd: 0.001, latencyMs: 20 };
    if (refusedAt.includes(calls++)) {
      const failure = { message: 'The model refused.', remedy: 'Ask otherwise.', status: 200, attempts: 1 };
      return { ok: false, failure: { kind: 'refused', ...failure, ...spend } };
    }
    const made = request.role === 'turn' ? (turns[at % Math.max(1, turns.length)] ?? 'answer') : 'answer';
    const text = made === 'nothing' ? '' : answerTo(request, at);
    const used = made === 'answer' || made === 'nothing' ? [] : [useIn(made, at)];
    // More calls than one turn allows.
    const toolCalls = made === 'many' ? Array.from({ length: 18 }, () => used).flat() : used;
    const reply = { text, finishReason: 'stop', attempts: 1, warnings: [], ...spend };
    return { ok: true, reply: { ...reply, ...(toolCalls.length > 0 && { toolCalls }) } };
  };

  function answerTo(request: ModelRequest, at: number): string {
    const turn = <Item>(items: Item[], otherwise: Item) => items[at % Math.max(1, items.length)] ?? otherwise;
    switch (request.role) {
      case 'evaluate':
        return JSON.stringify(verdict({ right: turn(scores, 0.5) }, turn(issues, false) ? ['Too vague'] : []));
      case 'reflect':
        return JSON.stringify({ summary: `Critique ${at}`, issues: [], suggestions: [`Fix ${at}`] });
      case 'lesson':
        return `Lesson ${at}`;
      case 'lesson_check':
        return JSON.stringify({ verdict: 'harmless', reason: 'Advice.' });
      case 'generate':
      case 'revise':
      case 'turn':
      case 'embed':
      case 'try':
      case 'judge':
        return `${PLACES[turn(drafts, 0)] ?? ''} ${at % 3}`;
    }
  }
}

const settingsArbitrary: fc.Arbitrary<ExperimentSettingsInput> = fc.record({
  mode: fc.constantFrom('revise' as const, 'retry' as const),
  generator: fc.record({
    provider: fc.constant('practice'),
    model: fc.constant('practice-1'),
    base: fc.constantFrom(
      { type: 'single' as const },
      { type: 'react' as const, tools: [ECHO], maxSteps: 5, stallAfter: 2 },
    ),
  }),
  criteria: fc.constant([
    { name: 'right', threshold: 0, evaluator: 'llm' as const },
    { name: 'named', weight: 0.5, threshold: 0, evaluator: 'regex' as const, config: { pattern: 'Rome' } },
  ]),
  maxIterations: fc.integer({ min: 0, max: 5 }),
  maxAttempts: fc.integer({ min: 1, max: 5 }),
  qualityThreshold: fc.constantFrom(0.6, 0.9),
  structuredReflection: fc.constant(true),
  triggers: fc.record({ onError: fc.boolean(), onQualityDrop: fc.boolean() }),
  revision: fc.record({ strategy: fc.constantFrom('full_rewrite' as const, 'hybrid' as const) }),
});

const turnArbitrary = fc.constantFrom<Turn>('use', 'many', 'again', 'unknown', 'nothing', 'answer');
const scriptArbitrary: fc.Arbitrary<Script> = fc.record({
  turns: fc.array(turnArbitrary, { maxLength: 8 }),
  scores: fc.array(
    fc.integer({ min: 0, max: 20 }).map((score) => score / 20),
    { maxLength: 6 },
  ),
  drafts: fc.array(fc.nat({ max: PLACES.length - 1 }), { maxLength: 6 }),
  issues: fc.array(fc.boolean(), { maxLength: 4 }),
  refusedAt: fc.array(fc.nat({ max: 12 }), { maxLength: 2 }),
});

test('the library and the app produce the same history for the same responses', async () => {
  const context = testContext(db.database());
  const check = async (settings: ExperimentSettingsInput, script: Script) => {
    const runId = await queuedRun(context, settings, { input: INPUT });
    const worker = { ...testWorkerContext(context, scriptedModel(script)), openTools: async () => evenTools() };
    await performRun(worker, runId);
    const stored = await storedRun(db.database(), runId);
    const { history, run } = stored;
    const engine = createEngine({
      settings,
      ask: scriptedModel(script),
      evaluate: evaluateAlone,
      tools: engineTools(),
    });
    const result = await engine.execute(INPUT);
    const reasons = run.convergenceReason === null ? [] : [run.convergenceReason, ...run.alsoHeld];
    const ending = endingOf(history, stored.settings, new Date(), reasons, null);
    expect(timeless(engine.getHistory())).toEqual(timeless(engineHistory(history, ending, stored.settings)));
    expect(result.tokenUsage.total).toBe(run.tokenUsage.input + run.tokenUsage.output);
  };
  await fc.assert(fc.asyncProperty(settingsArbitrary, scriptArbitrary, check), { numRuns: 40 });
}, 60_000);

/** Tools whose calls all take the same time. */
function evenTools(): Toolbox {
  const toolbox = makeToolbox([echoTool([])]);
  const use: Toolbox['use'] = async (call, signal) => {
    const outcome = await toolbox.use(call, signal);
    return outcome === null ? null : { ...outcome, durationMs: 1 };
  };
  return { ...toolbox, use };
}

function engineTools() {
  const { definitions, use } = evenTools();
  const { signal } = new AbortController();
  return { definitions, use: async (call: ToolCall) => (await use(call, signal)) ?? 'called off' };
}

/** Removes the ids and times that differ between runs. */
function timeless(value: unknown): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value, (key, item: unknown) => {
    if (key === 'createdAt' || key === 'at') return '';
    if ((key === 'id' || key === 'lessonId') && typeof item === 'string') {
      ids.set(item, ids.get(item) ?? `id ${ids.size}`);
      return ids.get(item);
    }
    return item;
  });
  return JSON.parse(text);
}
