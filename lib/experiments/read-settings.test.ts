import { describe, expect, test } from 'vitest';
import { EVALUATOR_KINDS } from '#lib/core/criterion.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { experimentInputSchema } from './read-settings.ts';

const SETTINGS = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'clarity', evaluator: 'llm' }],
};

const SMALLEST = { name: 'Tutorial', ...SETTINGS };

/** Returns the smallest experiment with the field at a path (`criteria.0.weight`) set; undefined removes the field. */
function withField(path: string, value: unknown): unknown {
  const [key = '', ...rest] = path.split('.');
  return placed(SMALLEST, [key, ...rest], value);
}

function placed(target: unknown, [key = '', ...rest]: string[], value: unknown): unknown {
  if (Array.isArray(target)) {
    return target.map((item: unknown, position) =>
      String(position) === key ? (rest.length === 0 ? value : placed(item, rest, value)) : item,
    );
  }
  const before: Record<string, unknown> = typeof target === 'object' && target !== null ? { ...target } : {};
  return { ...before, [key]: rest.length === 0 ? value : placed(before[key], rest, value) };
}

function refusalOf(input: unknown): { field: string | null; message: string } | null {
  const parsed = parseInput(experimentInputSchema, input);
  return parsed.ok ? null : { field: parsed.problem.field, message: parsed.problem.message };
}

function criteria(...given: Record<string, unknown>[]): unknown {
  return { ...SMALLEST, criteria: given.map((one, position) => ({ name: `c${position}`, evaluator: 'llm', ...one })) };
}

describe('ranges', () => {
  type Range = { field: string; min: number; max: number; whole?: true };
  const ranges: Range[] = [
    { field: 'qualityThreshold', min: 0, max: 1 },
    { field: 'maxIterations', min: 0, max: 50, whole: true },
    { field: 'maxAttempts', min: 1, max: 50, whole: true },
    { field: 'generator.temperature', min: 0, max: 2 },
    { field: 'criteria.0.threshold', min: 0, max: 1 },
    { field: 'triggers.qualityDropThreshold', min: 0, max: 1 },
    { field: 'convergence.plateauIterations', min: 1, max: 10, whole: true },
    { field: 'convergence.improvementThreshold', min: 0, max: 1 },
    { field: 'revision.maxTokens', min: 1, max: 1_000_000, whole: true },
    { field: 'tune.minibatchSize', min: 1, max: 50, whole: true },
    { field: 'tune.validationShare', min: 0, max: 0.9 },
    { field: 'tune.heldOutShare', min: 0, max: 0.9 },
    { field: 'tune.maxPromptTokens', min: 20, max: 100_000, whole: true },
    { field: 'tune.seed', min: 0, max: 1_000_000_000, whole: true },
    { field: 'budget.maxCalls', min: 1, max: 100_000_000, whole: true },
    { field: 'budget.maxTokens', min: 1, max: 1_000_000_000, whole: true },
    { field: 'budget.maxCostUsd', min: 0.000001, max: 1_000_000 },
    { field: 'budget.maxSeconds', min: 1, max: 31_536_000 },
    { field: 'budget.maxExperimentCostUsd', min: 0.000001, max: 10_000_000 },
    { field: 'budget.maxExperimentTokens', min: 1, max: 1_000_000_000_000, whole: true },
  ];
  const inFull = (bound: number) => bound.toLocaleString('en-US', { maximumFractionDigits: 20 });

  test.each(ranges)('$field accepts $min and $max, and nothing outside', ({ field, min, max, whole }) => {
    expect(refusalOf(withField(field, min))).toBeNull();
    expect(refusalOf(withField(field, max))).toBeNull();
    const kind = whole ? 'whole number' : 'number';
    const beyond = [
      whole ? min - 1 : min - 0.0000001,
      whole ? max + 1 : max + 0.0001,
      '1',
      null,
      true,
      {},
      [],
      ...(whole ? [min + 0.5] : []),
    ];
    for (const value of beyond) {
      const mayBeNull =
        value === null &&
        [
          'generator.temperature',
          'criteria.0.threshold',
          'revision.maxTokens',
          'budget.maxCalls',
          'budget.maxTokens',
          'budget.maxCostUsd',
          'budget.maxSeconds',
          'budget.maxExperimentCostUsd',
          'budget.maxExperimentTokens',
        ].includes(field);
      const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
      expect(refusalOf(withField(field, value))).toEqual(
        mayBeNull
          ? null
          : { field, message: `${field} must be a ${kind} from ${inFull(min)} to ${inFull(max)}, got ${shown}` },
      );
    }
  });

  test('accepts the weights 0 and 100 if the sum is above 0', () => {
    expect(refusalOf(criteria({ weight: 0 }, { weight: 100 }))).toBeNull();
    expect(refusalOf(criteria({ weight: 100.01 }))).toEqual({
      field: 'criteria.0.weight',
      message: 'criteria.0.weight must be a number from 0 to 100, got 100.01',
    });
    expect(refusalOf(criteria({ weight: 0 }, { weight: 0 }))).toEqual({
      field: 'criteria',
      message: 'criteria must have weights whose sum is above 0',
    });
  });

  test.each([
    ['name', 120],
    ['lessons.block', 120],
    ['lessons.agent', 120],
    ['criteria.0.name', 120],
    ['generator.provider', 120],
    ['generator.model', 200],
    ['generator.instructions', 50_000],
    ['prompts.generate', 50_000],
    ['criteria.0.description', 2_000],
    ['criteria.0.config.rubric', 50_000],
  ])('%s accepts at most %i characters', (field, most) => {
    expect(refusalOf(withField(field, 'x'.repeat(most)))).toBeNull();
    expect(refusalOf(withField(field, 'x'.repeat(most + 1)))).toEqual({
      field,
      message: `${field} must be at most ${most.toLocaleString('en-US')} characters, got ${(most + 1).toLocaleString('en-US')}`,
    });
  });

  test('accepts at most 50 criteria with unique names', () => {
    const many = (count: number) => criteria(...Array.from({ length: count }, () => ({})));
    expect(refusalOf(many(50))).toBeNull();
    expect(refusalOf(many(51))).toEqual({ field: 'criteria', message: 'criteria must contain at most 50 criteria' });
    expect(refusalOf(criteria({ name: 'a' }, { name: ' a ' }))).toEqual({
      field: 'criteria',
      message: 'criteria must not contain two criteria with the same name',
    });
  });
});

describe('refused settings and their messages', () => {
  const WITHOUT = 'without an evaluator a loop does nothing useful';
  test.each<[string, unknown, string, string]>([
    [
      'a threshold of 1.5',
      withField('qualityThreshold', 1.5),
      'qualityThreshold',
      'qualityThreshold must be a number from 0 to 1, got 1.5',
    ],
    [
      'zero attempts',
      withField('maxAttempts', 0),
      'maxAttempts',
      'maxAttempts must be a whole number from 1 to 50, got 0',
    ],
    [
      'a negative weight',
      withField('criteria.0.weight', -1),
      'criteria.0.weight',
      'criteria.0.weight must be a number from 0 to 100, got -1',
    ],
    [
      'an unknown key',
      withField('colour', 'red'),
      'colour',
      'colour is not a known setting. Remove it, or check its name.',
    ],
    [
      'a nested unknown key',
      withField('budget.maxEuro', 1),
      'budget.maxEuro',
      'budget.maxEuro is not a known setting. Remove it, or check its name.',
    ],
    [
      'an unknown key of a criterion',
      withField('criteria.0.importance', 1),
      'criteria.0.importance',
      'criteria.0.importance is not a known setting. Remove it, or check its name.',
    ],
    [
      'an unknown key of a config',
      withField('criteria.0.config', { items: [] }),
      'criteria.0.config.items',
      'criteria.0.config.items is not a known setting. Remove it, or check its name.',
    ],
    [
      'a misspelled key',
      withField('max_iteration', 3),
      'max_iteration',
      'max_iteration is not a known setting. Did you mean maxIterations?',
    ],
    [
      'a misspelled nested key',
      withField('tune.maxTrys', 3),
      'tune.maxTrys',
      'tune.maxTrys is not a known setting. Did you mean maxTries?',
    ],
    [
      'another word for a setting',
      withField('judge', { provider: 'practice', model: 'practice-1' }),
      'judge',
      'judge is not a known setting. Did you mean evaluatorModel?',
    ],
    [
      'another word that is spelled like a different setting',
      withField('temperature', 1),
      'temperature',
      'temperature is not a known setting. Did you mean generator?',
    ],
    [
      'another word for a setting of a criterion',
      criteria({ type: 'llm' }),
      'criteria.0.type',
      'criteria.0.type is not a known setting. Did you mean evaluator?',
    ],
    [
      'an unknown key that is a property of every object',
      withField('constructor', 1),
      'constructor',
      'constructor is not a known setting. Remove it, or check its name.',
    ],
    ['no criteria', withField('criteria', []), 'criteria', `criteria must contain at least one criterion: ${WITHOUT}`],
    [
      'omitted criteria of a custom task',
      withField('criteria', undefined),
      'criteria',
      'criteria must be a list of at least one criterion, or left out with a taskType of code, writing, analysis, reasoning, which have default criteria',
    ],
    [
      'criteria as an object',
      withField('criteria', {}),
      'criteria',
      `criteria must be a list of at least one criterion: ${WITHOUT}`,
    ],
    [
      'a criterion that is a string',
      withField('criteria.0', 'clarity'),
      'criteria.0',
      'criteria.0 must be an object, got "clarity"',
    ],
    [
      'a criterion without an evaluator',
      withField('criteria.0.evaluator', undefined),
      'criteria.0.evaluator',
      `criteria.0.evaluator must be one of ${EVALUATOR_KINDS.join(', ')}, got nothing`,
    ],
    [
      'an unknown evaluator',
      withField('criteria.0.evaluator', 'oracle'),
      'criteria.0.evaluator',
      `criteria.0.evaluator must be one of ${EVALUATOR_KINDS.join(', ')}, got "oracle"`,
    ],
    [
      'a missing pattern',
      criteria({ evaluator: 'regex', config: {} }),
      'criteria.0.config.pattern',
      'criteria.0.config.pattern must be a pattern of 1 to 2,000 characters, got nothing',
    ],
    [
      'a missing config',
      criteria({ evaluator: 'regex' }),
      'criteria.0.config',
      'criteria.0.config must be an object, got nothing',
    ],
    [
      'a missing function',
      criteria({ evaluator: 'function', config: { code: '' } }),
      'criteria.0.config.code',
      'criteria.0.config.code must contain JavaScript that defines a function evaluate',
    ],
    [
      'unknown flags',
      criteria({ evaluator: 'regex', config: { pattern: 'x', flags: 'g' } }),
      'criteria.0.config.flags',
      'criteria.0.config.flags may contain i (any case), m (lines), s (dot matches line ends)',
    ],
    [
      'a minimum above the maximum',
      criteria({ evaluator: 'regex', config: { pattern: 'x', min: 3, max: 2 } }),
      'criteria.0.config.min',
      'criteria.0.config.min must not be above max',
    ],
    [
      'an unknown match type',
      criteria({ evaluator: 'reference', config: { match: 'rouge' } }),
      'criteria.0.config.match',
      'criteria.0.config.match must be one of exact, contains, numeric, token_f1, edit, embedding, tool_calls, got "rouge"',
    ],
    [
      'a tolerance for a text match',
      criteria({ evaluator: 'reference', config: { match: 'exact', tolerance: 1 } }),
      'criteria.0.config.tolerance',
      'criteria.0.config.tolerance is only used with match "numeric"',
    ],
    ['an unknown mode', withField('mode', 'evolve'), 'mode', 'mode must be one of revise, retry, tune, got "evolve"'],
    [
      'an unknown key of tuning',
      withField('tune.generations', 4),
      'tune.generations',
      'tune.generations is not a known setting. Remove it, or check its name.',
    ],
    [
      'an unknown key of the library prompt',
      withField('tune.prompt', { name: 'triage', version: 1, label: 'production' }),
      'tune.prompt.label',
      'tune.prompt.label is not a known setting. Remove it, or check its name.',
    ],
    [
      'a library prompt without a version',
      withField('tune.prompt', { name: 'triage' }),
      'tune.prompt.version',
      'tune.prompt.version must be a whole number from 1 to 1,000,000, got nothing',
    ],
    [
      'version 0',
      withField('tune.prompt', { name: 'triage', version: 0 }),
      'tune.prompt.version',
      'tune.prompt.version must be a whole number from 1 to 1,000,000, got 0',
    ],
    [
      'a library prompt name that is too long',
      withField('tune.prompt', { name: 'x'.repeat(121), version: 1 }),
      'tune.prompt.name',
      'tune.prompt.name must be at most 120 characters, got 121',
    ],
    [
      'an unknown candidate selection',
      withField('tune.selection', 'random'),
      'tune.selection',
      'tune.selection must be one of pareto, pareto_criteria, pareto_hybrid, best, got "random"',
    ],
    [
      'an unknown tuning strategy',
      withField('tune.strategy', 'random'),
      'tune.strategy',
      'tune.strategy must be one of gepa, pairwise, few_shot, best_of_n, portfolio, got "random"',
    ],
    [
      'a parameter search temperature that is too high',
      withField('tune.parameters', { temperatures: [0.5, 3] }),
      'tune.parameters.temperatures.1',
      'tune.parameters.temperatures.1 must be a number from 0 to 2, got 3',
    ],
    [
      'a repeated temperature',
      withField('tune.parameters', { temperatures: [0.5, 0.5] }),
      'tune.parameters.temperatures',
      'tune.parameters.temperatures must not hold a temperature twice',
    ],
    [
      'an unknown acceptance rule',
      withField('tune.acceptance', 'better'),
      'tune.acceptance',
      'tune.acceptance must be one of strict, not_worse, got "better"',
    ],
    [
      'feedback that is not a boolean',
      withField('tune.feedback', 'off'),
      'tune.feedback',
      'tune.feedback must be true or false, got "off"',
    ],
    ['a missing generator', withField('generator', undefined), 'generator', 'generator must be an object, got nothing'],
    [
      'a missing model',
      withField('generator', { provider: 'practice' }),
      'generator.model',
      'generator.model must be a text, got nothing',
    ],
    ['a blank model name', withField('generator.model', '  '), 'generator.model', 'generator.model must name a model'],
    [
      'an unknown base',
      withField('generator.base', { type: 'graph' }),
      'generator.base.type',
      'generator.base.type must be one of single, react, supervisor, got "graph"',
    ],
    [
      'a provider without a model',
      withField('evaluatorModel', { provider: 'practice' }),
      'evaluatorModel.model',
      'evaluatorModel.model must be a text, got nothing',
    ],
    [
      'a string instead of a boolean',
      withField('structuredReflection', 'yes'),
      'structuredReflection',
      'structuredReflection must be true or false, got "yes"',
    ],
    [
      'an unknown revision strategy',
      withField('revision.strategy', 'rewrite'),
      'revision.strategy',
      'revision.strategy must be one of full_rewrite, targeted_edit, incremental, hybrid, got "rewrite"',
    ],
    [
      'an unknown lesson store',
      withField('lessons.store', 'shelf'),
      'lessons.store',
      'lessons.store must be one of none, block, recall, got "shelf"',
    ],
    [
      'a top K that is too high',
      withField('lessons.topK', 21),
      'lessons.topK',
      'lessons.topK must be a whole number from 1 to 20, got 21',
    ],
    [
      'a lesson token budget of 0',
      withField('lessons.tokenBudget', 0),
      'lessons.tokenBudget',
      'lessons.tokenBudget must be a whole number from 1 to 100,000, got 0',
    ],
    [
      'an embedding provider without a model',
      withField('lessons.embeddings', { provider: 'practice' }),
      'lessons.embeddings.model',
      'lessons.embeddings.model must be a text, got nothing',
    ],
    [
      'a pinned lesson that is not an id',
      withField('lessons.pinned', ['Be kind.']),
      'lessons.pinned.0',
      'lessons.pinned.0 must be the id of a lesson, got "Be kind."',
    ],
    [
      'too many pinned lessons',
      withField(
        'lessons.pinned',
        Array.from({ length: 21 }, () => '11111111-1111-4111-8111-111111111111'),
      ),
      'lessons.pinned',
      'lessons.pinned must contain at most 20 ids',
    ],
    [
      'an unknown write setting',
      withField('lessons.write', 'publish'),
      'lessons.write',
      'lessons.write must be one of learn, stage, off, got "publish"',
    ],
    [
      'a watched tool for a single call',
      withField('triggers.onTools', ['search']),
      'triggers.onTools.0',
      'triggers.onTools.0 must be left out (a single call uses no tools), got "search"',
    ],
    [
      'convergence set to false',
      withField('convergence', false),
      'convergence',
      'convergence must be an object, got false',
    ],
    ['a missing name', withField('name', undefined), 'name', 'name must be a text of 1 to 120 characters, got nothing'],
    ['a blank name', withField('name', '  '), 'name', 'name must not be empty (1 to 120 characters)'],
    [
      'a long invalid value, truncated',
      withField('mode', 'y'.repeat(300)),
      'mode',
      `mode must be one of revise, retry, tune, got "${'y'.repeat(79)}…`,
    ],
  ])('%s', (_name, input, field, message) => {
    expect(refusalOf(input)).toEqual({ field, message });
  });

  test.each([[null], [[]], ['text'], [7], [true], [undefined]])(
    'refuses a request of %j, which is not an object',
    (input) => {
      expect(refusalOf(input)).toMatchObject({
        field: null,
        message: expect.stringMatching(/^The request must be an object, got .+\.$/),
      });
    },
  );

  const fields = allFields(settingsSchema.parse(SETTINGS)).concat('name', 'criteria.0.config.rubric');
  test.each(fields)('%s: any wrong type is reported in plain words with its field', (field) => {
    let refused = 0;
    for (const value of [null, 'x', -0.5, 1e15, true, [], {}, [[]], { x: 1 }]) {
      const refusal = refusalOf(withField(field, value));
      if (refusal === null) continue;
      refused++;
      expect(refusal.field).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}(\\.|$)`));
      expect(refusal.message).not.toMatch(/Invalid|expected|received|undefined|NaN|\[object/);
      expect(refusal.message).toMatch(/^\S+ (must|may|is) /);
    }
    expect(refused).toBeGreaterThan(0);
  });
});

describe('accepted settings', () => {
  test('accepts the smallest experiment and fills in every default', () => {
    expect(parseInput(experimentInputSchema, SMALLEST)).toMatchObject({
      ok: true,
      value: {
        name: 'Tutorial',
        taskType: 'custom',
        qualityThreshold: 0.8,
        maxIterations: 3,
        maxAttempts: 3,
        structuredReflection: true,
        bestVersion: 'highest_score',
        criteria: [{ weight: 1, threshold: null, description: '', config: {} }],
        convergence: {
          plateauIterations: 2,
          improvementThreshold: 0.05,
          detectOscillation: true,
          detectStability: true,
        },
        triggers: { qualityDropThreshold: 0.1 },
        callbacks: { pause: 'never' },
        tune: {
          prompt: null,
          minibatchSize: 3,
          minibatches: 'shuffled',
          selection: 'best',
          acceptance: 'strict',
          validationShare: 0.4,
          heldOutShare: 0.25,
          maxPromptTokens: 2_000,
          feedback: true,
          references: true,
          seed: 0,
        },
        budget: {
          maxCalls: null,
          maxTokens: null,
          maxCostUsd: null,
          maxSeconds: null,
          maxExperimentCostUsd: null,
          maxExperimentTokens: null,
        },
        lessons: { store: 'recall', topK: 3, tokenBudget: 1_500, embeddings: null, pinned: [], write: 'learn' },
      },
    });
  });

  test('accepts the settings of the API description', () => {
    const described = {
      name: 'Tutorial',
      mode: 'revise',
      taskType: 'writing',
      generator: {
        provider: 'practice',
        model: 'practice-1',
        instructions: '…',
        temperature: 0,
        base: { type: 'single' },
        target: null,
        tools: [],
        responseSchema: null,
      },
      temperatures: { revise: null, evaluate: null, reflect: null, lesson: null, worker: null },
      modelSettings: { generate: null, revise: null, evaluate: null, reflect: null, lesson: null, worker: null },
      reflectionModel: null,
      evaluatorModel: null,
      embeddingModel: null,
      prompts: { generate: null, evaluate: null, reflect: null, revise: null, lesson: null },
      criteria: [{ name: 'clarity', description: '…', weight: 1, threshold: 0.7, evaluator: 'llm', config: {} }],
      qualityThreshold: 0.8,
      evaluation: { confidence: { below: null, action: 'rejudge' } },
      maxIterations: 3,
      maxAttempts: 3,
      structuredReflection: true,
      preserveAllVersions: true,
      triggers: { stepInterval: null, onError: false, onTools: [], onQualityDrop: false, qualityDropThreshold: 0.1 },
      revision: {
        strategy: 'hybrid',
        includePriorVersions: false,
        includeReflectionHistory: true,
        maxTokens: null,
      },
      convergence: { plateauIterations: 2, improvementThreshold: 0.05, detectOscillation: true, detectStability: true },
      bestVersion: 'highest_score',
      lessons: {
        store: 'recall',
        block: 'reflexion_lessons',
        topK: 3,
        tokenBudget: 1500,
        embeddings: null,
        check: null,
        pinned: [],
        write: 'learn',
        agent: 'default',
        recallAgents: 'own',
        reflectOnEnd: true,
        alwaysReflect: false,
        lookBackEvery: null,
        lookBackRuns: 1,
        retentionPerAgent: 30,
      },
      tune: {
        prompt: { name: 'support-triage', version: 7 },
        task: null,
        strategy: 'gepa',
        minibatchSize: 3,
        minibatches: 'shuffled',
        selection: 'best',
        acceptance: 'strict',
        proposalsAtOnce: 4,
        demonstrations: 0,
        components: 'round_robin',
        merge: true,
        parameters: { models: [], temperatures: [] },
        falseAcceptance: 0.05,
        smallestGain: 0.1,
        maxRepeats: 4,
        validationShare: 0.4,
        heldOutShare: 0.25,
        weightKey: null,
        maxTries: null,
        maxPromptTokens: 2_000,
        feedback: true,
        references: true,
        seed: 0,
      },
      callbacks: {
        pause: 'never',
        review: { drafts: false, revisions: false },
        webhook: null,
        timeoutSeconds: null,
        onTimeout: 'auto',
        escalate: false,
      },
      budget: {
        maxCalls: null,
        maxTokens: null,
        maxCostUsd: null,
        maxSeconds: null,
        maxExperimentCostUsd: null,
        maxExperimentTokens: null,
      },
    };
    expect(parseInput(experimentInputSchema, described)).toEqual({ ok: true, value: described });
  });
});

/** Returns the path of every field of the settings, including objects and lists. */
function allFields(value: unknown, path = ''): string[] {
  const here = path === '' ? [] : [path];
  if (typeof value !== 'object' || value === null) return here;
  return here.concat(
    Object.entries(value).flatMap(([key, member]) => allFields(member, path === '' ? key : `${path}.${key}`)),
  );
}
