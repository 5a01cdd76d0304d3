import { expect, test } from 'vitest';
import { observationFixture, turnFixture } from '#components/run/agents/agent-fixture.test-support.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { runPhases } from './live-strip.tsx';
import { runFixture, evaluationFixture as scored, versionFixture as version } from './run.test-support.ts';

const critique = {
  trigger: 'completion' as const,
  issues: [],
  createdAt: '2026-01-05T10:00:00.000Z',
  text: '',
  suggestions: [],
  tokenUsage: { input: 1, output: 1, total: 2 },
  costUsd: 0,
  durationMs: 1,
};

const CALL = { id: '0.0', tool: 'calculator', arguments: '{}' };
const TASK = { tool: 'delegate', arguments: '{"worker":"reader","task":"look"}' };

const REVISE: RunRecord['decisions'][number] = {
  hook: 'onGeneration',
  version: 0,
  iteration: 0,
  decision: 'revise',
  by: 'person',
  actor: 'Ada',
  reason: null,
  score: null,
  criterion: null,
  guidance: 'Be brief.',
  toolCallId: null,
  toolArguments: null,
  seen: { versions: 1, evaluations: 0, score: null, wouldStopAs: null },
  pauseId: 'p',
  at: '2026-01-05T10:00:00.000Z',
};

function settings(mode: ExperimentSettingsInput['mode']) {
  return settingsSchema.parse({
    mode,
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'clarity', evaluator: 'llm' }],
    maxAttempts: 5,
  });
}

test.each([
  { name: 'queued', mode: 'revise' as const, run: runFixture([], { status: 'queued' }), role: null, now: 'Queued' },
  { name: 'drafting', mode: 'revise' as const, run: runFixture([]), role: null, now: 'First draft' },
  { name: 'first attempt', mode: 'retry' as const, run: runFixture([]), role: null, now: 'Attempt 1 of 5' },
  { name: 'judging', mode: 'revise' as const, run: runFixture([version(0, [])]), role: null, now: 'Judge v0' },
  {
    name: 'criticising',
    mode: 'revise' as const,
    run: runFixture([version(0, [scored(0.5)])]),
    role: null,
    now: 'Critique of v0',
  },
  {
    name: 'revising',
    mode: 'revise' as const,
    run: runFixture([version(0, [scored(0.5)], { critiques: [critique] })]),
    role: null,
    now: 'Revise to v1',
  },
  {
    name: 'the stream is ahead of the stored run',
    mode: 'revise' as const,
    run: runFixture([version(0, [scored(0.5)])]),
    role: 'revise' as const,
    now: 'Revise to v1',
  },
  {
    name: 'judging again',
    mode: 'revise' as const,
    run: runFixture([version(0, [scored(null)])]),
    role: 'evaluate' as const,
    now: 'Judge v0',
  },
  {
    name: 'writing a lesson',
    mode: 'retry' as const,
    run: runFixture([version(0, [scored(0)])]),
    role: null,
    now: 'Lesson from v0',
  },
  {
    name: 'next attempt',
    mode: 'retry' as const,
    run: runFixture([version(0, [scored(0)])], {
      lessons: [{ id: 'l', version: 0, kind: 'lesson', text: 'x', fields: {}, withheld: false }],
    }),
    role: null,
    now: 'Attempt 2 of 5',
  },
  {
    name: 'revising an edit that skips scoring',
    mode: 'revise' as const,
    run: runFixture([version(0, [])], { decisions: [REVISE] }),
    role: null,
    now: 'Revise to v1',
  },
  {
    name: 'judging the revision of an edit',
    mode: 'revise' as const,
    run: runFixture([version(0, []), version(1, [])], { decisions: [REVISE] }),
    role: null,
    now: 'Judge v1',
  },
  {
    name: 'an agent in its first turn',
    mode: 'retry' as const,
    run: runFixture([]),
    role: 'turn' as const,
    now: 'Attempt 1 of 5',
  },
  {
    name: 'an agent calling tools',
    mode: 'retry' as const,
    run: runFixture([], { turns: [turnFixture(0, { calls: [CALL, { ...CALL, id: '0.1' }] })] }),
    role: null,
    now: 'Attempt 1 of 5, turn 1: uses calculator',
  },
  {
    name: 'an agent with the results of its tool calls',
    mode: 'revise' as const,
    run: runFixture([], {
      turns: [turnFixture(0, { calls: [CALL] })],
      observations: [observationFixture('0.0')],
    }),
    role: null,
    now: 'First draft, turn 2',
  },
  {
    name: 'a worker in the next attempt',
    mode: 'retry' as const,
    run: runFixture([version(0, [scored(0)])], {
      lessons: [{ id: 'l', version: 0, kind: 'lesson', text: 'x', fields: {}, withheld: false }],
      turns: [turnFixture(0, { version: 1, calls: [{ ...CALL, ...TASK }] })],
      observations: [observationFixture('0.0')],
    }),
    role: 'turn' as const,
    now: 'Attempt 2 of 5, turn 1: reader at work',
  },
  {
    name: 'next attempt after one that was cut off',
    mode: 'retry' as const,
    run: runFixture([version(0, [], { interrupted: true, finishReason: 'stalled' })]),
    role: null,
    now: 'Attempt 2 of 5',
  },
  {
    name: 'waiting has no phase',
    mode: 'revise' as const,
    run: runFixture([], { status: 'waiting' }),
    role: null,
    now: undefined,
  },
  {
    name: 'finished has no phase',
    mode: 'revise' as const,
    run: runFixture([], { status: 'finished' }),
    role: null,
    now: undefined,
  },
])('$name: $now', ({ mode, run, role, now }) => {
  const phases = runPhases(run, settings(mode), role);
  expect(phases.filter((phase) => phase.state === 'now').map((phase) => phase.label)).toEqual(
    now === undefined ? [] : [now],
  );
});
