import { describe, expect, test } from 'vitest';
import { type AgentScript, agentLoop, type ScriptedResponse } from './agent-loop.test-support.ts';
import type { History } from './history.ts';
import { settingsOf } from './history-of.test-support.ts';
import type { ModelRequest } from './model-request.ts';
import type { ExperimentSettingsInput } from './settings.ts';
import { spendOfRun } from './spend.ts';

const REACT = { type: 'react' as const, tools: ['search', 'danger'], maxSteps: 5, stallAfter: 3 };

function settings(base: object = {}, more: Partial<ExperimentSettingsInput> = {}) {
  const generator = { provider: 'practice', model: 'practice-1', base: { ...REACT, ...base } };
  return settingsOf({ generator, maxAttempts: 2, maxIterations: 1, lessons: { write: 'off' }, ...more });
}

/** Returns the main agent's turns in order across attempts, and repeats the last one. */
function respondWith(...responses: ScriptedResponse[]): AgentScript['says'] {
  return ({ role, conversation }: ModelRequest) => {
    if (role !== 'turn') return 'Be brief.';
    const turn = conversation?.messages.filter((message) => message.role === 'assistant').length ?? 0;
    return responses[Math.min(turn, responses.length - 1)] ?? '';
  };
}

const GOOD = { score: () => 1 };
const search = (q = 'x'): ScriptedResponse => ({ thought: `look for ${q}`, use: [['search', JSON.stringify({ q })]] });
const kinds = (steps: { type: string }[]) => steps.map(({ type }) => type).join(' ');

test('an agent thinks, calls tools and answers; the version has the cost of its turns', async () => {
  const two: ScriptedResponse = {
    thought: 'both',
    use: [
      ['search', '{"q":"a"}'],
      ['search', '{"q":"b"}'],
    ],
  };
  const loop = await agentLoop(settings(), { says: respondWith(search(), two, 'It is 4.'), ...GOOD });
  expect(kinds(loop.steps)).toBe('turn use_tools turn use_tools turn conclude evaluate stop');
  const { history } = loop;
  expect(
    history.turns.map(({ thought, calls, answer }) => ({ thought, calls: calls.map(({ id }) => id), answer })),
  ).toEqual([
    { thought: 'look for x', calls: ['0.0'], answer: null },
    { thought: 'both', calls: ['1.0', '1.1'], answer: null },
    { thought: '', calls: [], answer: 'It is 4.' },
  ]);
  expect(history.observations.map(({ callId, text }) => [callId, text])).toEqual([
    ['0.0', 'found {"q":"x"}'],
    ['1.0', 'found {"q":"a"}'],
    ['1.1', 'found {"q":"b"}'],
  ]);
  const spent = history.turns.reduce((sum, { tokenUsage }) => sum + tokenUsage.total, 0);
  expect(history.versions).toMatchObject([
    { output: 'It is 4.', origin: 'generated', finishReason: 'stop', interrupted: false },
  ]);
  expect(history.versions[0]?.tokenUsage.total).toBe(spent);
  expect(spendOfRun(history).tokenUsage.total).toBe(spent);
});

test('an agent receives the whole conversation so far in one form', async () => {
  const { asked } = await agentLoop(settings(), { says: respondWith(search(), 'It is 4.'), ...GOOD });
  expect(asked[1]?.conversation).toEqual({
    messages: [
      { role: 'assistant', text: 'look for x', calls: [{ id: '0.0', tool: 'search', arguments: '{"q":"x"}' }] },
      { role: 'tool', results: [{ id: '0.0', tool: 'search', text: 'found {"q":"x"}', isError: false }] },
    ],
    tools: [expect.objectContaining({ name: 'search' }), expect.objectContaining({ name: 'danger' })],
  });
  expect(asked[1]?.prompt).toBe(asked[0]?.prompt);
  expect(asked[1]?.instructions).toContain('at most 5 turns');
});

describe('a turn with more tool calls than allowed', () => {
  const many = (count: number): ScriptedResponse => ({
    thought: 'all at once',
    use: Array.from({ length: count }, (_, index): [string, string] => ['search', `{"q":"${index}"}`]),
  });
  const messagesOf = (asked: ModelRequest | undefined) =>
    asked?.conversation?.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));

  test('executes the first calls and reports the number omitted in every later turn', async () => {
    const loop = await agentLoop(settings(), { says: respondWith(many(40), search(), 'It is 4.'), ...GOOD });
    const all = Array.from({ length: 16 }, (_, index) => `0.${index}`);
    expect(loop.used.map(({ id }) => id)).toEqual([...all, '1.0']);
    expect(loop.history.turns.map(({ callsLeftOut }) => callsLeftOut)).toEqual([24, 0, 0]);
    const words = expect.stringMatching(/^24 more uses of tools in this turn were not performed: at most 16 a turn\. /);
    expect(loop.asked.map(messagesOf)).toEqual([[], [words], [words]]);
    expect(loop.asked[1]?.conversation?.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
  });

  test('reports nothing if all calls were executed', async () => {
    const loop = await agentLoop(settings(), { says: respondWith(many(16), 'It is 4.'), ...GOOD });
    expect(loop.used).toHaveLength(16);
    expect([loop.history.turns[0]?.callsLeftOut, messagesOf(loop.asked[1])]).toEqual([0, []]);
  });

  test('gives the same result when resumed at any point', async () => {
    const script = { says: respondWith(many(17), 'It is 4.'), ...GOOD };
    const whole = await agentLoop(settings(), script);
    expect(whole.history.turns[0]?.callsLeftOut).toBe(1);
    for (const state of whole.states) {
      const rest = await agentLoop(settings(), script, JSON.parse(JSON.stringify(state)));
      expect(rest.history).toEqual(whole.history);
      expect(rest.asked).toEqual(whole.asked.slice(whole.asked.length - rest.asked.length));
    }
  });
});

test('an agent is notified of its last turn', async () => {
  const { asked } = await agentLoop(settings({ maxSteps: 2 }), { says: respondWith(search(), 'It is 4.'), ...GOOD });
  expect(asked[1]?.conversation?.messages.at(-1)).toEqual({
    role: 'user',
    text: expect.stringContaining('your last turn'),
  });
});

describe('an invalid tool call returns an error with the remedy and executes no tool', () => {
  test.each<[string, [string, string], string, RegExp]>([
    ['an unknown tool', ['sear_ch', '{}'], 'unknown_tool', /no tool "sear_ch".*search, danger/],
    ['a tool of another agent', ['lookup', '{}'], 'unknown_tool', /no tool "lookup"/],
    ['arguments that are not JSON', ['search', '{"q": '], 'malformed', /no JSON object/],
    ['arguments that are not an object', ['search', '[1]'], 'malformed', /no JSON object/],
    ['a delegation without workers', ['delegate', '{"worker":"a","task":"b"}'], 'unknown_tool', /no tool "delegate"/],
  ])('%s', async (_name, call, status, text) => {
    const { history, used, ending } = await agentLoop(settings(), {
      says: respondWith({ use: [call] }, 'Done.'),
      ...GOOD,
    });
    expect(history.observations).toMatchObject([{ status, text: expect.stringMatching(text) }]);
    expect(used).toEqual([]);
    expect(ending.reason).toBe('quality_met');
  });
});

describe('an agent is cut off', () => {
  const cases: [string, object, ScriptedResponse[], string, string][] = [
    [
      'at its turn limit, without running its last tool calls',
      { maxSteps: 3 },
      [search('a'), search('b'), search('c')],
      'turn_limit',
      'look for c',
    ],
    [
      'after repeating the same call, regardless of white space',
      {},
      [search(), { thought: 'again', use: [['search', '{ "q": "x" }']] }, search()],
      'stalled',
      'look for x',
    ],
    ['after two turns without a call or answer', {}, [search(), ''], 'no_answer', 'look for x'],
    ['after empty responses of its model', {}, [search(), { fails: 'empty' }], 'no_answer', 'look for x'],
  ];
  test.each(cases)('%s: revise mode', async (_name, base, response, finishReason, output) => {
    const { history, ending, used, asked } = await agentLoop(settings(base), {
      says: respondWith(...response),
      ...GOOD,
    });
    expect(history.versions).toMatchObject([{ interrupted: true, finishReason, output }]);
    expect(history.evaluations).toEqual([]);
    expect(ending).toMatchObject({ reason: 'cut_off', success: false, finalVersion: 0, bestVersion: null });
    expect(used.length).toBeLessThan(asked.length);
  });

  test.each(cases)('%s: retry mode continues without a lesson', async (_name, base, response) => {
    const { history, ending } = await agentLoop(settings(base, { mode: 'retry', lessons: { write: 'learn' } }), {
      says: respondWith(...response),
      ...GOOD,
    });
    expect(history.versions.map(({ interrupted, iteration }) => [interrupted, iteration])).toEqual([
      [true, 0],
      [true, 1],
    ]);
    expect(history.lessons).toEqual([]);
    expect(ending.reason).toBe('max_iterations');
  });

  test('and starts over when the run is resumed', async () => {
    const says: AgentScript['says'] = (request, step) => (step > 6 ? 'It is 4.' : respondWith(search())(request, step));
    const { history, ending, asked } = await agentLoop(settings(), { says, ...GOOD, resumes: 1 });
    expect(
      history.versions.map(({ interrupted, origin, iteration, output }) => [interrupted, origin, iteration, output]),
    ).toEqual([
      [true, 'generated', 0, 'look for x'],
      [false, 'generated', 0, 'It is 4.'],
    ]);
    expect(asked.at(-1)?.conversation?.messages).toEqual([]);
    expect(ending).toMatchObject({ reason: 'quality_met', iterationsUsed: 0 });
  });

  test.each(['revise', 'retry'] as const)('by a budget, which ends the run: %s mode', async (mode) => {
    const says: AgentScript['says'] = ({ conversation }) => search(`${conversation?.messages.length}`);
    const budget = { maxCostUsd: 0.06 };
    const { history, ending } = await agentLoop(settings({ maxSteps: 50 }, { mode, budget }), { says, ...GOOD });
    expect(history.versions).toMatchObject([{ interrupted: true, finishReason: 'budget' }]);
    expect(ending.reason).toBe('cost_budget');
    expect(history.turns.length).toBeGreaterThan(2);
    expect(spendOfRun(history).costUsd).toBeLessThanOrEqual(0.06);
  });

  test('but not before its first turn: no version is created', async () => {
    const { history, ending } = await agentLoop(settings({}, { budget: { maxTokens: 5 } }), {
      says: respondWith('x'),
      ...GOOD,
    });
    expect([history.versions, history.turns, ending.reason]).toEqual([[], [], 'token_budget']);
  });
});

describe('a tool that requires approval', () => {
  const says = respondWith(
    {
      thought: 'dare',
      use: [
        ['danger', '{"q":"all"}'],
        ['search', '{"q":"x"}'],
      ],
    },
    'Done.',
  );
  const own = settings({ approve: ['danger'] });
  const steps = 'turn use_tools wait wait use_tools turn conclude evaluate stop';

  test.each<
    [string, Partial<History['decisions'][number]> & { decision: 'allow' | 'refuse' | 'auto' }, object, number]
  >([
    ['runs after approval', { decision: 'allow' }, { status: 'ok', text: 'found {"q":"all"}' }, 2],
    [
      'runs with the arguments that a person changed',
      { decision: 'allow', toolArguments: '{"q":"one"}' },
      { text: 'found {"q":"one"}' },
      2,
    ],
    [
      'does not run if rejected, and the agent gets the reason',
      { decision: 'refuse', reason: 'Too much.' },
      { status: 'refused', text: expect.stringContaining('The reason: Too much.') },
      1,
    ],
    ['does not run if nobody answers in time', { decision: 'auto', by: 'timeout' }, { status: 'refused' }, 1],
  ])('%s', async (_name, responses, observation, uses) => {
    const loop = await agentLoop(own, { says, ...GOOD, decides: () => responses });
    expect(kinds(loop.steps)).toBe(steps);
    const pause = loop.states.find((state) => state.pause !== null)?.pause;
    expect(pause).toMatchObject({
      hook: 'onToolCall',
      version: 0,
      toolCall: { id: '0.0', tool: 'danger', arguments: '{"q":"all"}' },
    });
    expect(loop.history.observations.find(({ callId }) => callId === '0.0')).toMatchObject(observation);
    expect(loop.used).toHaveLength(uses);
    expect(loop.ending.reason).toBe('quality_met');
  });

  test('needs approval again, per call, if the run was stopped there and resumed', async () => {
    const both = respondWith(
      {
        use: [
          ['danger', '{"q":"a"}'],
          ['danger', '{"q":"b"}'],
        ],
      },
      'Done.',
    );
    let answers = 0;
    const decides = () => ({ decision: answers++ === 0 ? ('stop' as const) : ('allow' as const) });
    const loop = await agentLoop(own, { says: both, ...GOOD, decides, resumes: 1 });
    const asked = loop.states.flatMap(({ pause }) => pause ?? []).map(({ toolCall }) => toolCall?.id);
    expect([...new Set(loop.states.flatMap(({ pause }) => pause?.pauseId ?? []))]).toHaveLength(3);
    expect([asked[0], asked.at(-1)]).toEqual(['0.0', '0.1']);
    expect(loop.ending.reason).toBe('quality_met');
    expect(loop.history.turns).toHaveLength(2);
  });

  test('needs no approval for an invalid call', async () => {
    const loop = await agentLoop(own, { says: respondWith({ use: [['danger', 'all of it']] }, 'Done.'), ...GOOD });
    expect(kinds(loop.steps)).toBe('turn use_tools turn conclude evaluate stop');
  });
});

describe('reflections between turns', () => {
  test('run after every N turns and are added to the next turn', async () => {
    const own = settings({ maxSteps: 10 }, { triggers: { stepInterval: 2 } });
    const says = respondWith(search('a'), search('b'), search('c'), search('d'), 'Done.');
    const loop = await agentLoop(own, { says, ...GOOD });
    expect(kinds(loop.steps)).toBe(
      'turn use_tools turn use_tools critique turn use_tools turn use_tools critique turn conclude evaluate stop',
    );
    expect(loop.history.critiques).toMatchObject([
      { version: 0, trigger: 'step_interval' },
      { version: 0, trigger: 'step_interval' },
    ]);
    const prompts = loop.asked.map(
      ({ conversation }) => conversation?.messages.filter(({ role }) => role === 'user').length,
    );
    expect(prompts).toEqual([0, 0, undefined, 1, 1, undefined, 2]);
    expect(loop.asked[3]?.conversation?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('Be brief.'),
    });
    expect(loop.asked[2]?.prompt).toContain('Action: search {"q":"b"}');
  });

  test('run once after a result of a watched tool, and of no other', async () => {
    const own = settings({}, { triggers: { onTools: ['danger'] } });
    const says = respondWith(
      search(),
      {
        use: [
          ['danger', '{}'],
          ['danger', '{"q":"1"}'],
        ],
      },
      search(),
      'Done.',
    );
    const loop = await agentLoop(own, { says, ...GOOD });
    expect(kinds(loop.steps)).toBe('turn use_tools turn use_tools critique turn use_tools turn conclude evaluate stop');
    expect(loop.history.critiques).toMatchObject([{ trigger: 'tool_result' }]);
  });

  test('run after a failed turn, and the agent continues from there', async () => {
    let failed = false;
    const says: AgentScript['says'] = (request, step) => {
      const isSecond = request.role === 'turn' && request.conversation?.messages.length === 2;
      if (!isSecond || failed) return respondWith(search(), 'Done.')(request, step);
      failed = true;
      return { fails: 'refused' };
    };
    const loop = await agentLoop(settings({}, { triggers: { onError: true } }), { says, ...GOOD });
    expect(kinds(loop.steps)).toBe('turn use_tools turn critique turn conclude evaluate stop');
    expect(loop.asked.at(-1)?.conversation?.messages.at(-1)).toMatchObject({ role: 'user' });
    expect(loop.asked.at(-1)?.prompt).toBe(loop.asked[0]?.prompt);
    expect(loop.asked.find(({ role }) => role === 'reflect')?.prompt).toContain('Action: search {"q":"x"}');
    expect(loop.ending.reason).toBe('quality_met');
  });
});

test('a monthly budget ends the run with its own reason, and the agent continues when resumed', async () => {
  let failures = 1;
  const says: AgentScript['says'] = (request, step) => {
    const isSecond = request.conversation?.messages.length === 2;
    return isSecond && failures-- > 0 ? { fails: 'month_budget' } : respondWith(search(), 'Done.')(request, step);
  };
  const stopped = await agentLoop(settings(), { says, ...GOOD });
  expect(stopped.ending.reason).toBe('month_budget');
  failures = 1;
  const { history, ending } = await agentLoop(settings(), { says, ...GOOD, resumes: 1 });
  expect([history.turns.length, ending.reason]).toEqual([2, 'quality_met']);
});
