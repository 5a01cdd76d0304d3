import { describe, expect, test } from 'vitest';
import { runFixture, versionFixture } from '#components/run/run.test-support.ts';
import type { CritiqueRecord } from '#lib/core/run-record.ts';
import { allowanceFixture, momentAt, observationFixture, turnFixture } from './agent-fixture.test-support.ts';
import {
  argumentsText,
  cutOffOf,
  delegationOf,
  statusLabel,
  stepTotalsLabel,
  toolDecisionLabel,
} from './agent-labels.ts';
import { agentStepsOf, type StepEntry, type TurnEntry, unfinishedSteps } from './agent-steps.ts';

const call = (id: string, tool = 'calculator', text = '{}') => ({ id, tool, arguments: text });

function critique(second: number, trigger: CritiqueRecord['trigger']): CritiqueRecord {
  return {
    ...{ trigger, text: `said at ${second}`, issues: [], suggestions: [], createdAt: momentAt(second) },
    ...{ tokenUsage: { input: 1, output: 1, total: 2 }, costUsd: 0, durationMs: 1 },
  };
}

function turnOf(entries: readonly StepEntry[], index: number): TurnEntry {
  const entry = entries[index];
  if (entry?.kind !== 'turn') throw new Error('no turn');
  return entry;
}

describe('agentStepsOf', () => {
  test('returns null for a single-call version and keeps attempts separate', () => {
    const record = runFixture([versionFixture(0, [])], {
      turns: [turnFixture(0, { calls: [call('0.0')] }), turnFixture(0, { version: 1, thought: 'Again.' })],
      observations: [observationFixture('0.0'), observationFixture('0.0', { version: 1, text: 'other' })],
    });
    expect(agentStepsOf(runFixture([versionFixture(0, [])]), 0)).toBeNull();
    expect(turnOf(agentStepsOf(record, 0)?.entries ?? [], 0).uses[0]?.observation?.text).toBe('4');
    expect(turnOf(agentStepsOf(record, 1)?.entries ?? [], 0).turn.thought).toBe('Again.');
    expect(unfinishedSteps(record)).toMatchObject({ way: { version: 1 }, title: 'Work on v1', isLive: true });
    expect(unfinishedSteps({ ...record, status: 'failed' })).toMatchObject({
      title: 'Interrupted work on v1',
      isLive: false,
    });
    expect(unfinishedSteps(runFixture([versionFixture(0, [])]))).toBeNull();
  });

  test('nests worker steps below their delegated task and counts each step once', () => {
    const record = runFixture([versionFixture(0, [])], {
      turns: [
        turnFixture(0, { calls: [call('0.0', 'delegate', '{"worker":"reader","task":"look"}'), call('0.1')] }),
        turnFixture(0, { agent: 'reader', delegation: '0.0', calls: [call('0.0/0.0', 'http_get')] }),
        turnFixture(1, { agent: 'reader', delegation: '0.0', answer: 'found' }),
        turnFixture(1, { answer: '4', costUsd: null }),
      ],
      observations: [observationFixture('0.1', { status: 'failed' }), observationFixture('0.0')],
    });
    const way = agentStepsOf(record, 0);
    const first = turnOf(way?.entries ?? [], 0);
    expect(first.uses.map(({ work }) => work?.length ?? null)).toEqual([2, null]);
    expect(first.uses[0]?.work?.[0]?.uses[0]?.call.tool).toBe('http_get');
    expect(way?.entries).toHaveLength(2);
    expect(way?.sums).toEqual({ turns: 4, uses: 3, leftOut: 0, failed: 1, tokens: 400, costUsd: null });
    expect(way && stepTotalsLabel(way.sums)).toBe('4 turns, 3 tool calls, 1 without a result, 400 tokens');
  });

  test('counts omitted tool calls, including those of workers', () => {
    const record = runFixture([versionFixture(0, [])], {
      turns: [
        turnFixture(0, { calls: [call('0.0', 'delegate')], callsLeftOut: 24 }),
        turnFixture(0, { agent: 'reader', delegation: '0.0', calls: [call('0.0/0.0')], callsLeftOut: 1 }),
      ],
    });
    const way = agentStepsOf(record, 0);
    expect(way && stepTotalsLabel(way.sums)).toBe('2 turns, 2 tool calls, 25 more omitted, 200 tokens, $0.0020');
    expect(turnOf(way?.entries ?? [], 0).turn.callsLeftOut).toBe(24);
  });

  test('marks a task whose worker waits for a reviewer; unstarted calls come later', () => {
    const record = runFixture([versionFixture(0, [])], {
      turns: [
        turnFixture(0, { version: 1, calls: [call('0.0', 'delegate'), call('0.1')] }),
        turnFixture(0, { version: 1, agent: 'reader', delegation: '0.0', calls: [call('0.0/0.0'), call('0.0/0.1')] }),
      ],
      waitingFor: {
        ...{ pauseId: 'p', hook: 'onToolCall', version: 1, wouldStopAs: null, asks: [], toolCall: call('0.0/0.0') },
        ...{ since: momentAt(9), expiresAt: null },
      },
    });
    const { uses } = turnOf(agentStepsOf(record, 1)?.entries ?? [], 0);
    const states = (of: typeof uses) => of.map(({ waits, comesLater }) => ({ waits, comesLater }));
    expect(states(uses)).toEqual([
      { waits: 'within', comesLater: false },
      { waits: null, comesLater: true },
    ]);
    expect(states(uses[0]?.work?.[0]?.uses ?? [])).toEqual([
      { waits: 'itself', comesLater: false },
      { waits: null, comesLater: true },
    ]);
  });

  test('shows who decided on a tool call in this attempt, and which call waits', () => {
    const record = runFixture([versionFixture(0, [])], {
      turns: [
        turnFixture(0, { calls: [call('0.0'), call('0.1')] }),
        turnFixture(0, { version: 1, calls: [call('0.0'), call('0.1')] }),
      ],
      decisions: [
        allowanceFixture('0.0', { toolArguments: '{"a":1}' }),
        allowanceFixture('0.1', { decision: 'refuse', by: 'timeout', actor: null }),
      ],
      waitingFor: {
        ...{ pauseId: 'p', hook: 'onToolCall', version: 1, wouldStopAs: null, asks: [], toolCall: call('0.1') },
        ...{ since: momentAt(9), expiresAt: null },
      },
    });
    const usesOf = (version: number) => turnOf(agentStepsOf(record, version)?.entries ?? [], 0).uses;
    expect(usesOf(0).map(toolDecisionLabel)).toEqual([
      'allowed by Ada with changed arguments',
      'refused by the timeout',
    ]);
    expect(usesOf(1).map(toolDecisionLabel)).toEqual([null, null]);
    expect(usesOf(0).map(({ waits }) => waits)).toEqual([null, null]);
    expect(usesOf(1).map(({ waits }) => waits)).toEqual([null, 'itself']);
  });

  test('places critiques between the turns they followed, also for a version still in progress', () => {
    const critiques = [critique(5, 'step_interval'), critique(15, 'tool_result'), critique(16, 'completion')];
    const turns = [turnFixture(0), turnFixture(1), turnFixture(2)];
    const kindsOf = (record: Parameters<typeof agentStepsOf>[0]) =>
      agentStepsOf(record, 0)?.entries.map((entry) =>
        entry.kind === 'turn' ? entry.turn.number : entry.critique.text,
      );
    const between = [0, 'said at 5', 1, 'said at 15', 2];
    expect(kindsOf(runFixture([versionFixture(0, [], { critiques })], { turns }))).toEqual(between);
    const open = critiques.map((one) => ({ ...one, version: 0 }));
    expect(kindsOf(runFixture([], { turns, openCritiques: open }))).toEqual(between);
  });
});

test.each([
  ['ok', null],
  ['failed', 'failed'],
  ['timed_out', 'timed out'],
  ['unknown_tool', 'no such tool'],
  ['malformed', 'wrong arguments'],
  ['refused', 'refused'],
] as const)('labels %s as %s', (status, words) => {
  expect(statusLabel(status)).toBe(words);
});

test.each([
  [{ finishReason: 'stop', interrupted: false }, null],
  [{ finishReason: 'stalled', interrupted: true }, 'stalled'],
  [{ finishReason: 'turn_limit', interrupted: true }, 'turn_limit'],
  [{ finishReason: 'length', interrupted: true }, 'no_answer'],
])('%o was cut off by %s', (version, cutOff) => {
  expect(cutOffOf(version)).toBe(cutOff);
});

test.each([
  ['{"worker":"reader","task":"look"}', { worker: 'reader', task: 'look' }],
  ['{"worker":"reader"}', null],
  ['{"worker":1,"task":"look"}', null],
  ['null', null],
  ['not JSON', null],
])('parses the delegation %s as %o', (text, read) => {
  expect(delegationOf(text)).toEqual(read);
});

test.each([
  ['{"a":1}', '{\n  "a": 1\n}', '{"a":1}'],
  ['not\n JSON', 'not\n JSON', 'not JSON'],
  ['{"a":"x\u202Ey"}', '{\n  "a": "x\\u202Ey"\n}', '{"a":"x\\u202Ey"}'],
  ['\u2066\u200B\uFEFF\u{E0041}', '\\u2066\\u200B\\uFEFF\\uDB40\\uDC41', '\\u2066\\u200B \\uDB40\\uDC41'],
])('formats the arguments %s', (text, full, short) => {
  expect(argumentsText(text)).toEqual({ full, short });
});
