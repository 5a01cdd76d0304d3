import { describe, expect, test } from 'vitest';
import { evaluatePrompt } from '#lib/evaluators/llm.ts';
import { retrospectivePrompt } from '#lib/lessons/retrospectives/retrospective-prompt.ts';
import { eventsOf } from '#lib/runs/run-events.ts';
import { appendResult } from './append-result.ts';
import type { Case } from './case.ts';
import { EVALUATOR_KINDS } from './criterion.ts';
import { DECISION_KINDS } from './decision-kinds.ts';
import { createEngine, type EngineOptions } from './engine.ts';
import { engineEvaluate, type Validate } from './engine-services.ts';
import { CRITIQUE_TRIGGERS, EMPTY_HISTORY, type History, HOOKS } from './history.ts';
import { historyOf, settingsOf } from './history-of.test-support.ts';
import { LESSON_FIELDS, type LessonKind } from './lesson-schema.ts';
import type { ModelRequest } from './model-request.ts';
import { nextStep } from './next-step.ts';
import { performStep } from './perform-step.ts';
import { endReflectionPrompt } from './prompts/end-reflection-prompt.ts';
import { lessonPrompt } from './prompts/lesson-prompt.ts';
import { REVISION_STRATEGIES } from './revision/strategy.ts';
import { BEST_VERSION_RULES } from './setting-choices.ts';
import { type ExperimentSettingsInput, settingsSchema } from './settings.ts';
import { STOP_REASONS } from './stop-reasons.ts';

/*
 * Covers the interface in the source documents of the loop: parameters with defaults and ranges, enum members, result fields, event order
 * and reflection formats.
 */

const NOW = new Date('2026-01-05T10:00:00.000Z');
const TASK: Case = { input: 'Write a greeting.', reference: null, tags: [], metadata: {} };
const SMALLEST = {
  mode: 'retry',
  generator: { provider: 'own', model: 'm' },
  criteria: [{ name: 'quality', evaluator: 'llm' }],
} satisfies ExperimentSettingsInput;

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, key) => Object(found)[key], value);
}

describe('documented parameters have a setting and default', () => {
  test.each<[string, string, unknown]>([
    ['Reflexion: base', 'generator.base', { type: 'single' }],
    ['Reflexion: max_attempts', 'maxAttempts', 3],
    ['Reflexion: threshold', 'qualityThreshold', 0.8],
    ['Reflexion: evaluator_prompt', 'prompts.evaluate', null],
    ['Reflexion: reflector_prompt', 'prompts.lesson', null],
    ['Reflexion: lessons_block_name', 'lessons.block', 'reflexion_lessons'],
    ['Reflexion: lesson_store', 'lessons.store', 'recall'],
    ['Reflexion: top_k_lessons', 'lessons.topK', 3],
    ['Reflection protocol: last 30 per agent', 'lessons.retentionPerAgent', 30],
    ['Reflection: max_iterations', 'maxIterations', 3],
    ['Reflection: reflection_prompt', 'prompts.reflect', null],
    ['Reflection: quality_threshold', 'qualityThreshold', 0.8],
    ['Reflection: reflection_model', 'reflectionModel', null],
    ['Reflection: structured_reflection', 'structuredReflection', true],
    ['Reflection: preserve_all_versions', 'preserveAllVersions', true],
    ['Reflection: reflection_interval', 'triggers.stepInterval', null],
    ['Reflection: reflect_on_error', 'triggers.onError', false],
    ['Reflection: reflect_on_tools', 'triggers.onTools', []],
    ['Reflection: quality_drop_threshold', 'triggers.qualityDropThreshold', 0.1],
    ['Reflection: weight of a criterion', 'criteria.0.weight', 1],
    ['Reflection: threshold of a criterion', 'criteria.0.threshold', null],
    ['Reflection: evaluator_config', 'criteria.0.config', {}],
    ['Reflection: revision_strategy', 'revision.strategy', 'hybrid'],
    ['Reflection: include_prior_versions', 'revision.includePriorVersions', false],
    ['Reflection: include_reflection_history', 'revision.includeReflectionHistory', true],
    ['Reflection: max_revision_tokens', 'revision.maxTokens', null],
    ['Reflection: plateau_iterations', 'convergence.plateauIterations', 2],
    ['Reflection: improvement_threshold', 'convergence.improvementThreshold', 0.05],
    ['Reflection: detect_oscillation', 'convergence.detectOscillation', true],
    ['Reflection: best_version_selection', 'bestVersion', 'highest_score'],
  ])('%s', (_name, path, value) => {
    expect(valueAt(settingsSchema.parse(SMALLEST), path)).toEqual(value);
  });
});

describe('documented ranges are enforced', () => {
  test.each<[string, object]>([
    ['max_attempts of 0', { maxAttempts: 0 }],
    ['threshold below 0', { qualityThreshold: -0.1 }],
    ['threshold above 1', { qualityThreshold: 1.1 }],
    ['top_k_lessons of 0', { lessons: { topK: 0 } }],
  ])('%s is rejected', (_name, changes) => {
    expect(settingsSchema.safeParse({ ...SMALLEST, ...changes }).success).toBe(false);
  });

  test.each<[string, object]>([
    ['max_attempts of 1', { maxAttempts: 1 }],
    ['threshold of 0', { qualityThreshold: 0 }],
    ['threshold of 1', { qualityThreshold: 1 }],
    ['top_k_lessons of 1', { lessons: { topK: 1 } }],
    ['top_k_lessons of 5', { lessons: { topK: 5 } }],
    ['a lessons block of another name', { lessons: { block: 'writer_lessons', store: 'block' } }],
    ['four attempts (three retries)', { maxAttempts: 4 }],
  ])('%s is accepted', (_name, changes) => {
    expect(settingsSchema.safeParse({ ...SMALLEST, ...changes }).success).toBe(true);
  });
});

describe('documented values have a name', () => {
  test.each<[string, readonly string[], string]>([
    ['strategy full_rewrite', REVISION_STRATEGIES, 'full_rewrite'],
    ['strategy targeted_edit', REVISION_STRATEGIES, 'targeted_edit'],
    ['strategy incremental', REVISION_STRATEGIES, 'incremental'],
    ['strategy hybrid', REVISION_STRATEGIES, 'hybrid'],
    ['selection highest_score', BEST_VERSION_RULES, 'highest_score'],
    ['selection latest', BEST_VERSION_RULES, 'latest'],
    ['selection first_satisfactory', BEST_VERSION_RULES, 'first_satisfactory'],
    ['selection weighted_recency', BEST_VERSION_RULES, 'weighted_recency'],
    ['reason QUALITY_MET', STOP_REASONS, 'quality_met'],
    ['reason MAX_ITERATIONS', STOP_REASONS, 'max_iterations'],
    ['reason PLATEAU', STOP_REASONS, 'plateau'],
    ['reason OSCILLATION', STOP_REASONS, 'oscillation'],
    ['reason DIMINISHING_RETURNS', STOP_REASONS, 'diminishing'],
    ['reason USER_ACCEPTED', STOP_REASONS, 'user_accepted'],
    ['reason TOKEN_BUDGET', STOP_REASONS, 'token_budget'],
    ['trigger completion', CRITIQUE_TRIGGERS, 'completion'],
    ['trigger step_interval', CRITIQUE_TRIGGERS, 'step_interval'],
    ['trigger error', CRITIQUE_TRIGGERS, 'error'],
    ['trigger tool_result', CRITIQUE_TRIGGERS, 'tool_result'],
    ['trigger manual', CRITIQUE_TRIGGERS, 'manual'],
    ['trigger quality_drop', CRITIQUE_TRIGGERS, 'quality_drop'],
    ['evaluator llm', EVALUATOR_KINDS, 'llm'],
    ['evaluator regex', EVALUATOR_KINDS, 'regex'],
    ['evaluator function', EVALUATOR_KINDS, 'function'],
    ['callback on_generation', HOOKS, 'onGeneration'],
    ['callback on_reflection', HOOKS, 'onReflection'],
    ['callback on_revision', HOOKS, 'onRevision'],
    ['decision AUTO', DECISION_KINDS, 'auto'],
  ])('%s', (_name, values, value) => {
    expect(values).toContain(value);
  });
});

/** Returns an engine whose versions get these scores in order, and all requests to its model. */
function engineOf(scores: number[], changes: Partial<EngineOptions['settings']> = {}, lesson = 'Begin with the name.') {
  const asked: ModelRequest[] = [];
  let judged = 0;
  let made = 0;
  const engine = createEngine({
    settings: {
      generator: { provider: 'own', model: 'm' },
      convergence: null,
      revision: { strategy: 'full_rewrite' },
      criteria: [{ name: 'quality', validate: () => scores[judged++] ?? 0 }],
      ...changes,
    },
    ask: async (request) => {
      asked.push(request);
      if (request.role === 'lesson') return lesson;
      return request.role === 'reflect'
        ? JSON.stringify({
            summary: 'Too cold.',
            issues: [{ text: 'No name', criterion: 'quality', scope: 'missing' }],
            suggestions: ['Add the name'],
          })
        : `Hello ${made++}!`;
    },
    now: () => NOW,
  });
  return { engine, asked };
}

describe('documented result fields are returned', () => {
  test.each<[string, string, unknown]>([
    ['success', 'success', true],
    ['final_output', 'finalOutput', 'Hello 1!'],
    ['best_output', 'bestOutput', 'Hello 1!'],
    ['final_evaluation', 'finalEvaluation.overallScore', 0.9],
    ['iterations_used', 'iterationsUsed', 1],
    ['convergence_reason', 'convergenceReason', 'quality_met'],
    ['token_usage', 'tokenUsage.total', expect.any(Number)],
    ['execution_time', 'executionTimeMs', expect.any(Number)],
    ['history.versions', 'history.versions.length', 2],
    ['history.best_version', 'history.bestVersion', 1],
    ['history.final_version', 'history.finalVersion', 1],
    ['history.convergence_reason', 'history.convergenceReason', 'quality_met'],
    ['history.total_iterations', 'history.iterationsUsed', 1],
    ['version.iteration', 'history.versions.1.iteration', 1],
    ['version.output', 'history.versions.1.output', 'Hello 1!'],
    ['version.evaluation', 'history.versions.1.evaluation.satisfactory', true],
    ['version.improvements_applied', 'history.versions.1.improvementsApplied', ['No name']],
    ['version.timestamp', 'history.versions.1.createdAt', NOW.toISOString()],
    ['version.token_usage', 'history.versions.1.tokenUsage.total', expect.any(Number)],
    ['evaluation.overall_score', 'history.versions.0.evaluation.overallScore', 0.4],
    ['evaluation.criteria_scores', 'history.versions.0.evaluation.criteriaScores', { quality: 0.4 }],
    ['evaluation.satisfactory', 'history.versions.0.evaluation.satisfactory', false],
    ['evaluation.issues', 'history.versions.0.evaluation.issues', []],
    ['evaluation.suggestions', 'history.versions.0.evaluation.suggestions', []],
    ['evaluation.confidence', 'history.versions.0.evaluation.confidence', null],
  ])('%s', async (_name, path, value) => {
    const { engine } = engineOf([0.4, 0.9]);
    expect(valueAt(await engine.execute(TASK.input), path)).toEqual(value);
  });
});

test('trims white space around a lesson', async () => {
  const { engine } = engineOf([0.4, 0.9], { mode: 'retry' }, '\n  Begin with the name. \n');
  expect((await engine.execute(TASK.input)).history.lessons).toMatchObject([{ text: 'Begin with the name.' }]);
});

/** Returns the event names of a retry run whose attempts get these scores. */
async function eventsOfRun(scores: number[], maxAttempts: number): Promise<string[]> {
  const settings = settingsOf({ mode: 'retry', maxAttempts, convergence: null, qualityThreshold: 0.8 });
  let judged = 0;
  const validate: Validate = () => scores[judged++] ?? 0;
  let history: History = { ...EMPTY_HISTORY, inputLength: TASK.input.length };
  const events: string[] = [];
  let ids = 0;
  let calls = 0;
  for (;;) {
    const result = await performStep(nextStep(history, settings, NOW), {
      history,
      settings,
      case: TASK,
      call: async () => ({
        ok: true,
        reply: {
          ...{ text: `Answer ${++calls}.`, finishReason: 'stop', tokenUsage: { input: 5, output: 5, total: 10 } },
          ...{ costUsd: 0, latencyMs: 1, attempts: 1, warnings: [] },
        },
      }),
      evaluate: engineEvaluate(new Map([['quality', validate]]), null),
      now: () => NOW,
      newId: () => `${++ids}`,
    });
    if (result === null) throw new Error('nobody calls anything off here');
    history = appendResult(history, result);
    events.push(...eventsOf(result, history, settings).map(({ type }) => type));
    if (result.type === 'end') return events;
  }
}

describe('Reflexion events in order', () => {
  const FAILED = ['attempt_started', 'lessons_recalled', 'output_made', 'evaluated'];
  const LEARNED = ['lesson_produced', 'lesson_persisted'];

  test('a failed attempt, its lesson, and an attempt that meets the threshold', async () => {
    const events = await eventsOfRun([0.4, 0.8], 3);
    expect(events.filter((name) => name !== 'decided')).toEqual([
      ...FAILED,
      ...LEARNED,
      ...FAILED,
      'threshold_met',
      'stopped',
    ]);
  });

  test('a failed last attempt writes no lesson and reports the cap', async () => {
    const events = await eventsOfRun([0.4, 0.5], 2);
    expect(events.filter((name) => name !== 'decided')).toEqual([
      ...FAILED,
      ...LEARNED,
      ...FAILED,
      'max_attempts_reached',
      'stopped',
    ]);
  });
});

test('an attempt costs its agent calls plus one judge and one lesson call without tools', async () => {
  const asked: ModelRequest[] = [];
  const tool = { name: 'look_up', description: 'Finds a name.', parameters: { type: 'object', properties: {} } };
  const engine = createEngine({
    settings: {
      mode: 'retry',
      generator: { provider: 'own', model: 'm', base: { type: 'react', tools: ['look_up'] } },
      maxAttempts: 2,
      convergence: null,
      criteria: [{ name: 'quality', evaluator: 'llm' }],
    },
    tools: { definitions: [tool], use: () => 'Ada' },
    evaluate: async ({ ask, settings }) => {
      const outcome = await ask({
        instructions: 'Judge it.',
        prompt: 'Score it.',
        temperature: null,
        maxOutputTokens: null,
        output: null,
      });
      if (!outcome.ok) throw new Error('the judge is not down');
      const name = settings.criteria[0]?.name ?? '';
      return {
        ok: true,
        evaluation: {
          ...{ status: 'scored', overallScore: 0.2, criteriaScores: { [name]: 0.2 }, reasons: {}, satisfactory: false },
          ...{ issues: [], suggestions: [], confidence: null, feedback: '', detail: '', answer: null },
          ...{ tokenUsage: outcome.reply.tokenUsage, costUsd: 0, durationMs: 0 },
        },
      };
    },
    ask: async (request) => {
      asked.push(request);
      return `Hello ${asked.length}!`;
    },
  });
  await engine.execute(TASK.input);
  expect(asked.map(({ role }) => role)).toEqual(['turn', 'evaluate', 'lesson', 'turn', 'evaluate']);
  for (const { role, conversation } of asked) expect(conversation?.tools.length ?? 0).toBe(role === 'turn' ? 1 : 0);
  // A new attempt contains nothing of the previous conversation except the lesson.
  expect(asked[3]?.conversation?.messages).toEqual([]);
  expect(asked[3]?.prompt).toContain('<lessons>\n- Hello 3!\n</lessons>');
});

test('accepts the documented example of a team that learns to delegate', () => {
  const worker = (name: string) => ({ name, description: `Is the ${name}.` });
  const settings = settingsSchema.parse({
    mode: 'retry',
    generator: {
      provider: 'anthropic',
      model: 'claude-opus-4-7',
      instructions: 'Manage the article pipeline.',
      base: { type: 'supervisor', workers: [worker('researcher'), worker('writer'), worker('reviewer')] },
    },
    criteria: [{ name: 'quality', evaluator: 'llm' }],
    maxAttempts: 3,
    qualityThreshold: 0.85,
    lessons: { store: 'recall' },
  });
  expect(settings.generator.base).toMatchObject({ workers: [{}, {}, {}] });
});

describe('the built-in prompts', () => {
  const settings = settingsOf({ mode: 'retry', structuredReflection: false });
  const history = historyOf(settings, [{ score: 0.25, output: 'Hi.' }]);
  const [version] = history.versions;
  const [evaluation] = history.evaluations;
  if (version === undefined || evaluation === undefined) throw new Error('there is a scored version');

  test('request a score from 0 to 1 per line, with a reason, from the judge', () => {
    const criteria = settings.criteria.flatMap((one) => (one.evaluator === 'llm' ? [one] : []));
    const { instructions, prompt } = evaluatePrompt({ settings, case: TASK, output: 'Hi.', criteria, wrong: null });
    expect(instructions).toContain('from 0 (fails) to 1 (could not be better), use\nthe whole range');
    expect(prompt).toContain('name: score - reason');
    expect(prompt).toContain('<task>\nWrite a greeting.\n</task>');
    expect(prompt).toContain('<candidate>\nHi.\n</candidate>');
  });

  test('request one concrete, actionable sentence from the lesson writer', () => {
    const { instructions, prompt } = lessonPrompt(settings, TASK, version, evaluation, []);
    expect(instructions).toContain('ONE sentence');
    expect(instructions).toContain('specific and\nconcrete');
    expect(instructions).toContain('Answer with that sentence only');
    expect(prompt).toContain('<task>\nWrite a greeting.\n</task>');
    expect(prompt).toContain('<attempt>\nHi.\n</attempt>');
    expect(prompt).toContain('score 0.25');
  });

  test('forbid secrets, persons and addresses in reflections', () => {
    const subject = { kind: 'failure' as const, version, evaluation };
    const rule = 'Name no secrets, persons or addresses.';
    expect(endReflectionPrompt(settings, TASK, history, subject).instructions).toContain(rule);
    const result = { reason: null, success: false, asText: false };
    expect(retrospectivePrompt(settings, TASK, history, result).instructions).toContain(rule);
  });

  test.each([
    ['skills', '"skills": [{"pattern"'],
    ['failures', '"failures": [{"pattern"'],
    ['policies', '"policies": [{"tool"'],
    ['observations', '"observations": [{"statePattern"'],
    ['principles', '"principles": ['],
    ['procedures', '"procedures": ['],
    ['decisions', '"decisions": ['],
    ['preferences', '"preferences": ['],
    ['placeholders for specific details', '{variable} placeholders'],
    ['JSON', 'one JSON object'],
    ['the mode of the run', 'Run mode: retry.'],
    ['only principles and procedures of systemic causes', 'Only for systemic causes and repeatable\nstrategies'],
  ])('request %s in a retrospective', (_name, text) => {
    const asked = retrospectivePrompt(settings, TASK, history, { reason: null, success: false, asText: false });
    expect(`${asked.instructions}\n${asked.prompt}`).toContain(text);
  });
});

describe('reflections have the fields of their format', () => {
  test.each<[string, LessonKind, string[]]>([
    ['failed: five fields', 'failure', ['whatHappened', 'whatWentWrong', 'why', 'whatToDoDifferently', 'tacticalRule']],
    ['partial: three fields', 'partial', ['whatHappened', 'whatWentWrong', 'whatToDoDifferently']],
    ['success: two fields', 'success', ['strategy', 'whyItWorked']],
    ['decision: three fields', 'decision', ['what', 'alternatives', 'why']],
    ['skill card: pattern, strategy and steps', 'skill_card', ['pattern', 'strategy', 'steps']],
    [
      'failure pattern: what happened and what to do instead',
      'failure_pattern',
      ['pattern', 'whatHappened', 'instead'],
    ],
    ['tool policy: tool and constraint', 'tool_policy', ['tool', 'constraint']],
    ['episodic case: state pattern and meaning', 'episodic_case', ['statePattern', 'meaning']],
  ])('%s', (_name, kind, fields) => {
    expect(LESSON_FIELDS[kind].map(({ name }) => name)).toEqual(fields);
  });
});
