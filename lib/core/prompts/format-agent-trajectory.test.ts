import { describe, expect, test } from 'vitest';
import type { AgentTurn, Observation } from '../history.ts';
import { decided, decisionOf, historyOf, settingsOf } from '../history-of.test-support.ts';
import { NO_SPEND } from '../token-usage.ts';
import { critiquePrompt } from './critique-prompt.ts';
import { formatRunHistory } from './end-reflection-prompt.ts';
import { formatAgentTrajectory } from './format-agent-trajectory.ts';
import { lessonPrompt } from './lesson-prompt.ts';
import { revisePrompt } from './revise-prompt.ts';

const AT = '2026-01-05T10:00:00.000Z';
const settings = settingsOf({ mode: 'retry' });

function turn(number: number, changes: Partial<AgentTurn> = {}): AgentTurn {
  return {
    ...NO_SPEND,
    ...{ version: 0, number, agent: 'main', delegation: null, thought: `thought ${number}`, calls: [] },
    ...{ callsLeftOut: 0, answer: null, finishReason: 'stop', createdAt: AT, step: number, ...changes },
  };
}

function observation(callId: string, text: string, changes: Partial<Observation> = {}): Observation {
  return { version: 0, callId, tool: 'tool', status: 'ok', text, durationMs: 1, createdAt: AT, step: 0, ...changes };
}

const base = historyOf(settings, [0.4]);
const response = {
  ...base,
  turns: [
    turn(0, { calls: [{ id: '0.0', tool: 'delegate', arguments: '{"worker":"reader","task":"look"}' }] }),
    turn(0, {
      ...{ agent: 'reader', delegation: '0.0', calls: [{ id: '0.0/0.0', tool: 'search', arguments: '{"q":\n"x"}' }] },
    }),
    turn(1, { agent: 'reader', delegation: '0.0', thought: '', answer: 'found it' }),
    turn(1, { thought: 'so it is 4', answer: 'It is 4.' }),
    turn(0, { version: 1, thought: 'another attempt' }),
  ],
  observations: [
    observation('0.0/0.0', 'line one\nIssue: planted', { status: 'failed' }),
    observation('0.0', 'found it'),
  ],
};

test('lists thoughts, actions and observations in order, with workers below their task', () => {
  expect(formatAgentTrajectory(response, 0, 10_000).split('\n')).toEqual([
    'Turn 1: thought 0',
    'Action: delegate {"worker":"reader","task":"look"}',
    '  reader, turn 1: thought 0',
    '  Action: search {"q": "x"}',
    '  Observation (failed): line one Issue: planted',
    '  reader, turn 2:',
    '  Answer: found it',
    'Observation: found it',
    'Turn 2: so it is 4',
    'Answer: It is 4.',
  ]);
});

test('a revision contains the steps that made the draft, also of an earlier version that it is based on', () => {
  const revise = settingsOf();
  const made = historyOf(revise, [0.4, 0.5]);
  const [first, second] = made.versions;
  if (first === undefined || second === undefined) throw new Error('no versions');
  const turns = response.turns.filter(({ version }) => version === 0);
  const history = { ...made, turns, observations: response.observations };
  const task = { input: 'Look it up', reference: null, tags: [], metadata: {} };
  for (const from of [first, { ...second, parents: [0] }]) {
    const { prompt } = revisePrompt(revise, task, history, from, null);
    expect(prompt).toMatch(/<trajectory>\nTurn 1: thought 0[\s\S]*Observation: found it[\s\S]*<\/trajectory>/);
  }
  expect(revisePrompt(revise, task, made, first, null).prompt).not.toContain('<trajectory>');
});

test('includes the number of omitted tool calls', () => {
  const call = { id: '0.0', tool: 'search', arguments: '{}' };
  const many = { ...base, turns: [turn(0, { calls: [call], callsLeftOut: 24 }), turn(1, { answer: 'Four.' })] };
  expect(formatAgentTrajectory(many, 0, 10_000).split('\n').slice(2, 4)).toEqual([
    'Observation: none',
    '(24 more uses of tools in this turn were not performed: at most 16 a turn.)',
  ]);
});

test("shows a reviewer's changes, and is empty for a version of one call", () => {
  const changed = decided(
    response,
    decisionOf('allow', {
      ...{ toolCallId: '0.0', toolArguments: '{"worker":"solver"}', version: 0 },
      seen: { versions: 0, evaluations: 0, score: null, wouldStopAs: null },
    }),
  );
  expect(formatAgentTrajectory(changed, 0, 10_000)).toContain(
    'Action: delegate {"worker":"solver"} (changed by a person)',
  );
  expect(formatAgentTrajectory(base, 0, 10_000)).toBe('');
});

describe('a long trajectory is truncated', () => {
  const long = {
    ...base,
    turns: Array.from({ length: 200 }, (_, number) => turn(number, { thought: 'x'.repeat(900) })),
  };
  test.each([1_000, 5_000, 20_000])('to about %i characters, omitting its middle', (longest) => {
    const course = formatAgentTrajectory(long, 0, longest);
    expect(course.length).toBeLessThan(longest + 100);
    expect(course).toMatch(/^… \d+ turns left out …$/m);
    expect(course).toContain('Turn 200:');
    expect(course).toContain(' … (cut)');
  });
});

test('includes the last turn even with many worker turns', () => {
  const call = { id: '0.0', tool: 'delegate', arguments: '{}' };
  const workers = Array.from({ length: 100 }, (_, number) =>
    turn(number, { agent: 'reader', delegation: '0.0', thought: 'x'.repeat(300) }),
  );
  const busy = { ...base, turns: [turn(0, { calls: [call] }), ...workers, turn(1, { answer: 'At last.' })] };
  expect(formatAgentTrajectory(busy, 0, 2_000)).toContain('Answer: At last.');
  expect(formatAgentTrajectory({ ...busy, turns: busy.turns.slice(0, -1) }, 0, 2_000)).toContain('Turn 1: thought 0');
});

test('is quoted in lesson, critique and run prompts, which are unchanged without agents', () => {
  const [version] = response.versions;
  if (version === undefined) throw new Error('no version');
  const task = { input: 'Add.', reference: null, tags: [], metadata: {} };
  const course = formatAgentTrajectory(response, 0, 10_000);
  const quoted = `<trajectory>\n${course}\n</trajectory>`;
  expect(lessonPrompt(settings, task, version, null, [], course).prompt).toContain(quoted);
  expect(critiquePrompt(settings, task, version, null, course).prompt).toContain(quoted);
  expect(lessonPrompt(settings, task, version, null, []).prompt).not.toContain('trajectory');
  expect(formatRunHistory(response, 1_000)).toContain('\nSteps:\n  Turn 1: thought 0\n');
  expect(formatRunHistory(response, 1_000)).toContain('\n\nVersion 1, not finished\nSteps:\n  Turn 1: another attempt');
  expect(formatRunHistory(response, null)).not.toContain('Steps:');
});
