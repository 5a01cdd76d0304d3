import { describe, expect, test } from 'vitest';
import { type AgentScript, agentLoop, type ScriptedResponse } from './agent-loop.test-support.ts';
import { settingsOf } from './history-of.test-support.ts';
import type { ModelRequest } from './model-request.ts';
import type { ExperimentSettingsInput } from './settings.ts';
import { spendOfRun, spendOnVersion } from './spend.ts';

const WORKERS = [
  { name: 'reader', description: 'Reads sources.', instructions: 'You read.', tools: ['search'], maxSteps: 3 },
  { name: 'solver', provider: 'practice', model: 'solver-1' },
  { name: 'checker' },
];

function settings(base: object = {}, more: Partial<ExperimentSettingsInput> = {}) {
  const own = { type: 'supervisor' as const, workers: WORKERS, tools: ['lookup'], maxSteps: 4, ...base };
  return settingsOf({ generator: { provider: 'practice', model: 'practice-1', base: own }, maxAttempts: 3, ...more });
}

const delegate = (worker: string, task: string): [string, string] => ['delegate', JSON.stringify({ worker, task })];
const kinds = (steps: { type: string }[]) => steps.map(({ type }) => type).join(' ');
const isMain = ({ conversation }: ModelRequest) => conversation?.tools.some(({ name }) => name === 'delegate') ?? false;
const turnOf = ({ conversation }: ModelRequest) =>
  conversation?.messages.filter(({ role }) => role === 'assistant').length ?? 0;

/** A supervisor with these turns, and workers that respond with their task. The reader searches first. */
function team(...main: ScriptedResponse[]): AgentScript['says'] {
  return (request) => {
    if (request.role !== 'turn') return 'Lesson.';
    if (isMain(request)) return main[Math.min(turnOf(request), main.length - 1)] ?? '';
    const task = /<task>\n([\s\S]*)\n<\/task>/.exec(request.prompt)?.[1] ?? '';
    const canSearch = request.conversation?.tools.some(({ name }) => name === 'search') ?? false;
    return canSearch && turnOf(request) === 0
      ? { thought: 'search first', use: [['search', '{"q":"x"}']] }
      : `done: ${task}`;
  };
}

test('delegates to parallel workers, each with its own model and tools, and returns their answers', async () => {
  const says = team(
    { thought: 'share it', use: [delegate('reader', 'read it'), delegate('solver', 'solve it')] },
    'All done.',
  );
  const { history, steps, asked, used } = await agentLoop(settings(), { says, score: () => 1 });
  expect(steps.slice(0, 7)).toMatchObject([
    { type: 'turn', agents: [{ agent: 'main', delegation: null, number: 0 }] },
    {
      type: 'turn',
      agents: [
        { agent: 'reader', delegation: '0.0', number: 0 },
        { agent: 'solver', delegation: '0.1', number: 0 },
      ],
    },
    {
      type: 'use_tools',
      calls: [
        { id: '0.0/0.0', tool: 'search' },
        { id: '0.1', tool: 'delegate' },
      ],
    },
    { type: 'turn', agents: [{ agent: 'reader', delegation: '0.0', number: 1 }] },
    { type: 'use_tools', calls: [{ id: '0.0' }] },
    { type: 'turn', agents: [{ agent: 'main', number: 1 }] },
    { type: 'conclude' },
  ]);
  expect(history.observations.map(({ callId, status, text }) => [callId, status, text])).toEqual([
    ['0.0/0.0', 'ok', 'found {"q":"x"}'],
    ['0.1', 'ok', 'done: solve it'],
    ['0.0', 'ok', 'done: read it'],
  ]);
  expect(used.map(({ id }) => id)).toEqual(['0.0/0.0']);
  expect(
    asked
      .slice(0, 3)
      .map(({ model, ordinal, conversation }) => [model.model, ordinal, conversation?.tools.map(({ name }) => name)]),
  ).toEqual([
    ['practice-1', 0, ['delegate', 'lookup']],
    ['practice-1', 0, ['search']],
    ['solver-1', 1, []],
  ]);
  expect(asked[0]?.instructions).toContain('- reader: Reads sources.');
  expect(asked[1]?.instructions).toContain('You read.');
  // Workers get only their task, nothing else of the case.
  expect(asked[1]?.prompt).toBe('<task>\nread it\n</task>');
});

test('counts the cost of workers once: in the version, and before that as in progress', async () => {
  const says = team({ use: [delegate('reader', 'a'), delegate('solver', 'b'), delegate('checker', 'c')] }, 'All done.');
  const { history, states, asked } = await agentLoop(settings(), { says, score: () => 1 });
  const all = history.turns.reduce((sum, { tokenUsage }) => sum + tokenUsage.total, 0);
  expect(history.turns).toHaveLength(asked.length);
  expect(history.versions[0]?.tokenUsage.total).toBe(all);
  expect(spendOfRun(history).tokenUsage.total).toBe(all);
  expect(spendOnVersion(history, 0).tokenUsage.total).toBe(all);
  for (const state of states) {
    const made = state.turns.reduce((sum, { tokenUsage }) => sum + tokenUsage.total, 0);
    expect(spendOfRun(state).tokenUsage.total).toBe(made);
  }
});

describe('reports to the supervisor', () => {
  test.each<[string, [string, string], object, string, RegExp]>([
    [
      'that the worker does not exist',
      delegate('writer', 'x'),
      {},
      'unknown_tool',
      /"writer".*reader, solver, checker/,
    ],
    ['how to delegate a task', ['delegate', '{"to":"reader"}'], {}, 'malformed', /"worker" is missing/],
    ['that a task must not be empty', delegate('reader', ' '), {}, 'malformed', /"task" is missing/],
    [
      'that a worker reached its turn limit',
      delegate('reader', 'x'),
      { maxSteps: 1 },
      'failed',
      /reader did not answer: it had all of its 1 turns.*search first/,
    ],
  ])('%s', async (_name, call, reader, status, text) => {
    const workers = WORKERS.map((worker) => (worker.name === 'reader' ? { ...worker, ...reader } : worker));
    const loop = await agentLoop(settings({ workers }), { says: team({ use: [call] }, 'Done.'), score: () => 1 });
    const observation = loop.history.observations.find(({ callId }) => callId === '0.0');
    expect(observation).toMatchObject({ status, text: expect.stringMatching(text) });
    expect(loop.ending.reason).toBe('quality_met');
  });
});

test('a worker cannot delegate', async () => {
  const says: AgentScript['says'] = (request) => {
    if (isMain(request)) return turnOf(request) === 0 ? { use: [delegate('solver', 'x')] } : 'Done.';
    return turnOf(request) === 0 ? { use: [delegate('reader', 'y')] } : 'Alone, then.';
  };
  const { history } = await agentLoop(settings(), { says, score: () => 1 });
  expect(history.observations).toMatchObject([
    { callId: '0.0/0.0', status: 'unknown_tool' },
    { callId: '0.0', status: 'ok', text: 'Alone, then.' },
  ]);
});

test('retries a failed worker call while the others continue, and counts the lost spend', async () => {
  let failures = 1;
  const steady = team({ use: [delegate('reader', 'a'), delegate('solver', 'b')] }, 'Done.');
  const says: AgentScript['says'] = (request, step) =>
    request.model.model === 'solver-1' && failures-- > 0 ? { fails: 'unavailable' } : steady(request, step);
  const { history, ending, asked } = await agentLoop(settings(), { says, score: () => 1 });
  expect(ending.reason).toBe('quality_met');
  expect(history.turns.filter(({ agent }) => agent === 'solver')).toHaveLength(1);
  expect(history.lostSpend.tokenUsage.total).toBeGreaterThan(0);
  expect(history.turns.length + 1).toBe(asked.length);
});

test("a worker's tool waits for approval while the other workers continue", async () => {
  const workers = [...WORKERS.slice(0, 2), { name: 'checker' }];
  const loop = await agentLoop(settings({ workers, approve: ['search'] }), {
    says: team({ use: [delegate('reader', 'a'), delegate('solver', 'b')] }, 'Done.'),
    score: () => 1,
    decides: () => ({ decision: 'allow' }),
  });
  expect(kinds(loop.steps)).toBe('turn turn use_tools wait wait use_tools turn use_tools turn conclude evaluate stop');
  expect(loop.states.find(({ pause }) => pause !== null)?.pause?.toolCall?.id).toBe('0.0/0.0');
});

test.each([
  { maxCalls: 3, turns: ['main'], output: 'share it' },
  { maxCalls: 4, turns: ['main', 'reader', 'solver'], output: 'share it' },
  { maxCalls: 5, turns: ['main', 'reader', 'solver', 'main'], output: 'All done.' },
])('starts workers only if the budget covers all their turns and an evaluation: $maxCalls calls', async (given) => {
  const workers = WORKERS.map((worker) => ({ ...worker, tools: [] }));
  const says = team({ thought: 'share it', use: [delegate('reader', 'a'), delegate('solver', 'b')] }, 'All done.');
  const own = settings({ workers }, { mode: 'retry', budget: { maxCalls: given.maxCalls } });
  const { history } = await agentLoop(own, { says, score: () => 1 });
  expect(history.turns.map(({ agent }) => agent)).toEqual(given.turns);
  expect(history.versions[0]).toMatchObject({ output: given.output, interrupted: given.maxCalls < 5 });
});

/**
 * Acceptance case: a lesson changes the delegation to three workers in the next attempt. The scripted supervisor follows the lesson in its
 * prompt; without it, it omits the checker and answers wrong.
 */
test("a lesson changes the next attempt's delegation, and the cost of all workers is counted once", async () => {
  const LESSON = 'Have the checker look at the result before you answer.';
  const says: AgentScript['says'] = (request) => {
    if (request.role === 'lesson') return LESSON;
    if (!isMain(request)) return `done by ${request.prompt}`;
    const heeds = request.prompt.includes(LESSON);
    const first = [delegate('reader', 'read'), delegate('solver', 'solve')];
    if (turnOf(request) === 0)
      return { thought: 'share it', use: heeds ? [...first, delegate('checker', 'check')] : first };
    return heeds ? 'Right, and checked.' : 'Wrong.';
  };
  const workers = WORKERS.map((worker) => ({ ...worker, tools: [] }));
  const own = settings({ workers }, { mode: 'retry' });
  const { history, ending, asked } = await agentLoop(own, {
    says,
    score: (output) => (output.startsWith('Right') ? 1 : 0.2),
  });
  const delegated = [0, 1].map((version) =>
    history.turns
      .filter((turn) => turn.version === version && turn.delegation === null)
      .flatMap(({ calls }) => calls.map((call) => JSON.parse(call.arguments).worker)),
  );
  expect(delegated).toEqual([
    ['reader', 'solver'],
    ['reader', 'solver', 'checker'],
  ]);
  expect(history.versions.map(({ output, recalledLessons }) => [output, recalledLessons.length])).toEqual([
    ['Wrong.', 0],
    ['Right, and checked.', 1],
  ]);
  expect(ending).toMatchObject({ reason: 'quality_met', finalVersion: 1, iterationsUsed: 2 });
  const lessonCall = asked.find(({ role }) => role === 'lesson');
  expect(lessonCall?.prompt).toContain('Action: delegate {"worker":"solver","task":"solve"}');
  const records = [...history.turns, ...history.lessons];
  expect(records).toHaveLength(asked.length);
  const sum = records.reduce((total, { tokenUsage }) => total + tokenUsage.total, 0);
  expect(spendOfRun(history).tokenUsage.total).toBe(sum);
  expect(
    history.versions.reduce((total, { number }) => total + spendOnVersion(history, number).tokenUsage.total, 0),
  ).toBe(sum);
});
