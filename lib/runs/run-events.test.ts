import { describe, expect, test } from 'vitest';
import type { AgentTurn } from '#lib/core/history.ts';
import {
  decided,
  decisionOf,
  failureOf,
  historyOf,
  settingsOf,
  type VersionGiven,
} from '#lib/core/history-of.test-support.ts';
import { endingOf } from '#lib/core/next-step.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { StepResult } from '#lib/core/step.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { tuningSettingsOf } from '#lib/core/tuning/simulated-tunings.test-support.ts';
import { type PromptGiven, tuningHistory } from '#lib/core/tuning-history.test-support.ts';
import { eventsOf } from './run-events.ts';

const NOW = new Date('2026-01-05T10:00:00.000Z');

/** Returns a history of the given versions, and the last version and its evaluation as step results. */
function made(changes: Partial<ExperimentSettingsInput>, versions: VersionGiven[]) {
  const settings = settingsOf(changes);
  const history = historyOf(settings, versions);
  const version = history.versions.at(-1);
  const evaluation = history.evaluations.at(-1);
  if (version === undefined) throw new Error('no version given');
  const events = (result: StepResult) => eventsOf(result, history, settings);
  return { settings, history, version, evaluation, events };
}

describe('eventsOf', () => {
  test('a first draft', () => {
    const { version, events } = made({}, [0.5]);
    expect(events({ type: 'version', version })).toEqual([{ type: 'output_made', data: { version: 0 } }]);
  });

  test('a revision', () => {
    const { version, events } = made({}, [0.5, 0.6]);
    expect(events({ type: 'version', version })).toEqual([
      { type: 'output_made', data: { version: 1 } },
      { type: 'revised', data: { version: 1, strategy: 'full_rewrite' } },
    ]);
  });

  test('an attempt with recalled lessons', () => {
    const { version, events } = made({ mode: 'retry', maxAttempts: 4 }, [0, 0]);
    const recalled = { ...version, recalledLessons: [{ lessonId: 'l', rank: 1, score: null }] };
    expect(events({ type: 'version', version: recalled })).toEqual([
      { type: 'attempt_started', data: { attempt: 2, maxAttempts: 4 } },
      { type: 'lessons_recalled', data: { attempt: 2, count: 1 } },
      { type: 'output_made', data: { version: 1 } },
    ]);
  });

  test('a draft or revision reports recalled lessons only if it has any', () => {
    const { version, events } = made({}, [0.5, 0.6]);
    const recalled = { ...version, recalledLessons: [{ lessonId: 'l', rank: 1, score: 0.7 }] };
    expect(events({ type: 'version', version: recalled })).toEqual([
      { type: 'lessons_recalled', data: { attempt: 2, count: 1 } },
      { type: 'output_made', data: { version: 1 } },
      { type: 'revised', data: { version: 1, strategy: 'full_rewrite' } },
    ]);
  });

  test('an extra attempt granted by a person', () => {
    const { settings, history, version } = made({ mode: 'retry', maxAttempts: 1 }, [{ score: 0, continued: true }, 0]);
    expect(eventsOf({ type: 'version', version }, history, settings)[0]).toEqual({
      type: 'attempt_started',
      data: { attempt: 2, maxAttempts: 2 },
    });
  });

  test.each<[string, VersionGiven, object[]]>([
    ['below the threshold', 0.5, [{ type: 'evaluated', data: { version: 0, score: 0.5 } }]],
    [
      'satisfactory',
      0.9,
      [
        { type: 'evaluated', data: { version: 0, score: 0.9 } },
        { type: 'threshold_met', data: { version: 0 } },
      ],
    ],
    ['unscored', null, [{ type: 'evaluated', data: { version: 0, score: null } }]],
  ])('an evaluation: %s', (_name, given, expected) => {
    const { evaluation, events } = made({}, [given]);
    if (evaluation === undefined) throw new Error('not evaluated');
    expect(events({ type: 'evaluation', evaluation })).toEqual(expected);
  });

  test('critique, lesson, decision, pause and failure', () => {
    const { history, events } = made({ lessons: { block: 'mine' } }, [0.5]);
    const stamp = { ...NO_SPEND, version: 0, createdAt: NOW.toISOString(), step: 3 };
    const issues = [{ criterion: null, text: 'Vague' }];
    expect(
      events({ type: 'critique', critique: { ...stamp, trigger: 'manual', text: 'x', issues, suggestions: [] } }),
    ).toEqual([{ type: 'critiqued', data: { version: 0, issues: 1, trigger: 'manual' } }]);
    expect(
      events({
        type: 'critique',
        critique: { ...stamp, trigger: 'run_end', text: 'why', issues: [], suggestions: [] },
      }),
    ).toEqual([{ type: 'lesson_not_stored', data: { version: 0, reason: 'why' } }]);
    const lesson = { ...stamp, id: 'l', kind: 'lesson' as const, text: 'Add first.', fields: {} };
    expect(events({ type: 'lesson', lesson })).toEqual([
      { type: 'lesson_produced', data: { lesson: 'Add first.' } },
      { type: 'lesson_persisted', data: { block: 'mine' } },
    ]);
    expect(events({ type: 'decision', decision: decisionOf('continue', { by: 'policy' }) })).toEqual([
      { type: 'decided', data: { decision: 'continue', by: 'policy' } },
    ]);
    const pause = {
      pauseId: 'p1',
      hook: 'onReflection' as const,
      version: 0,
      wouldStopAs: null,
      asks: [],
      toolCall: null,
      since: NOW.toISOString(),
      expiresAt: null,
    };
    expect(events({ type: 'pause', pause })).toEqual([{ type: 'waiting', data: { pauseId: 'p1' } }]);
    expect(events({ type: 'failure', failure: failureOf('model_failed', history) })).toEqual([
      { type: 'failed', data: { kind: 'model_failed', message: 'no answer' } },
    ]);
  });

  test.each<[string, Partial<ExperimentSettingsInput>, StopReason, object[]]>([
    ['revise mode at the cap', {}, 'max_iterations', [{ type: 'stopped', data: { reason: 'max_iterations' } }]],
    [
      'retry mode at the cap',
      { mode: 'retry' },
      'max_iterations',
      [
        { type: 'max_attempts_reached', data: { finalScore: 0.25, attempts: 2 } },
        { type: 'stopped', data: { reason: 'max_iterations' } },
      ],
    ],
    ['retry mode, solved', { mode: 'retry' }, 'quality_met', [{ type: 'stopped', data: { reason: 'quality_met' } }]],
  ])('an end: %s', (_name, changes, reason, expected) => {
    const { settings, history, events } = made(changes, [0, 0.25]);
    expect(events({ type: 'end', ending: endingOf(history, settings, NOW, [reason], null), decision: null })).toEqual(
      expected,
    );
  });

  test('a manual stop reports only the stop', () => {
    const { settings, history } = made({}, [0.5]);
    const ordered = decided(history, decisionOf('stop'));
    const result: StepResult = {
      type: 'end',
      ending: endingOf(ordered, settings, NOW, ['user_stopped'], null),
      decision: null,
    };
    expect(eventsOf(result, ordered, settings)).toEqual([{ type: 'stopped', data: { reason: 'user_stopped' } }]);
  });
});

describe('events of a tuning run', () => {
  const settings = tuningSettingsOf();
  const given: PromptGiven = { scores: { 0: 0.5, 1: 0.25 } };
  const made = (...proposals: PromptGiven[]) => tuningHistory(settings, { train: 3 }, [given, ...proposals]);

  test('the initial prompt, a proposal, and a proposal held back by a guard', () => {
    const problems = [
      { kind: 'too_long' as const, text: 'long' },
      { kind: 'copied_example' as const, text: 'copied' },
    ];
    const history = made({ minibatch: [0] }, { minibatch: [1], problems });
    const events = history.versions.map((version) => eventsOf({ type: 'version', version }, history, settings));
    expect(events).toEqual([
      [{ type: 'output_made', data: { version: 0 } }],
      [
        { type: 'output_made', data: { version: 1 } },
        { type: 'revised', data: { version: 1, strategy: null } },
      ],
      [
        { type: 'output_made', data: { version: 2 } },
        { type: 'revised', data: { version: 2, strategy: null } },
        { type: 'proposal_held_back', data: { version: 2, problems: ['too_long'] } },
      ],
    ]);
  });

  test.each([
    { name: 'passed', scores: { 0: 0.5, 1: 0.5 }, event: 'proposal_passed', after: 1 },
    { name: 'rejected', scores: { 0: 0.5, 1: 0 }, event: 'proposal_rejected', after: 0.5 },
  ])('example scores that decide a proposal: $name', ({ scores, event, after }) => {
    const history = made({ minibatch: [0, 1], scores });
    const tries = history.tries.filter(({ version }) => version === 1);
    const tried = { type: 'tried', data: { version: 1, cases: 2, mean: after / 2 } };
    expect(eventsOf({ type: 'tries', tries, durationMs: 1, lost: NO_SPEND }, history, settings)).toEqual([
      tried,
      { type: event, data: { version: 1, before: 0.75, after } },
    ]);
  });

  test('an evaluation reports the comparison of a proposal with its parent', () => {
    const history = made({ minibatch: [0, 1], scores: { 0: 1, 1: 1, 2: 1 }, evaluated: true });
    const [evaluation] = history.evaluations.filter(({ version }) => version === 1);
    if (evaluation === undefined) throw new Error('version 1 was evaluated');
    expect(eventsOf({ type: 'evaluation', evaluation }, history, settings).at(-1)).toEqual({
      type: 'proposal_validated',
      data: { version: 1, cases: 0, verdict: 'not_enough_evidence' },
    });
  });

  test('example scores that decide nothing or nothing new', () => {
    const half = made({ minibatch: [0, 1], scores: { 0: null } });
    const tries = half.tries.filter(({ version }) => version === 1);
    expect(eventsOf({ type: 'tries', tries, durationMs: 1, lost: NO_SPEND }, half, settings)).toEqual([
      { type: 'tried', data: { version: 1, cases: 1, mean: null } },
    ]);
    const whole = made({ minibatch: [0], scores: { 0: 1, 2: 0 } });
    const later = whole.tries.filter(({ version, position }) => version === 1 && position === 2);
    expect(eventsOf({ type: 'tries', tries: later, durationMs: 1, lost: NO_SPEND }, whole, settings)).toHaveLength(1);
  });
});

describe('events of an agent', () => {
  const turn: AgentTurn = {
    ...{ ...NO_SPEND, version: 1, number: 0, agent: 'main', delegation: null, thought: 'look', answer: null },
    ...{ calls: [{ id: '0.0', tool: 'search', arguments: '{}' }], callsLeftOut: 0, finishReason: 'stop' },
    ...{ createdAt: NOW.toISOString(), step: 9 },
  };
  const turns = (...given: AgentTurn[]): StepResult => turnsWith(2, ...given);
  const turnsWith = (recalled: number, ...given: AgentTurn[]): StepResult => ({
    ...{ type: 'turns', turns: given, recalled, durationMs: 1, lost: NO_SPEND },
  });
  const expected = { type: 'turn_made', data: { version: 1, agent: 'main', number: 0, calls: 1 } };
  const started = { type: 'attempt_started', data: { attempt: 2, maxAttempts: 4 } };

  const recalled = { type: 'lessons_recalled', data: { attempt: 2, count: 2 } };

  test('an attempt and its recalled lessons are reported before the first turn, and not again', () => {
    const { history, settings, version, events } = made({ mode: 'retry', maxAttempts: 4 }, [0]);
    expect(events(turns(turn))).toEqual([started, recalled, expected]);
    expect(events(turnsWith(0, turn))[1]).toEqual({ ...recalled, data: { attempt: 2, count: 0 } });
    expect(events(turns({ ...turn, number: 1 }))).toMatchObject([{ type: 'turn_made' }]);
    expect(events(turns({ ...turn, agent: 'reader', delegation: '0.0' }))).toMatchObject([{ type: 'turn_made' }]);
    const after = { ...history, turns: [{ ...turn, version: 0 }] };
    expect(eventsOf({ type: 'version', version }, after, settings).map(({ type }) => type)).toEqual(['output_made']);
  });

  test('a draft reports its recalled lessons before its first turn', () => {
    const settings = settingsOf({});
    const history = historyOf(settings, []);
    const first = { ...turn, version: 0 };
    expect(eventsOf(turnsWith(1, first), history, settings)).toMatchObject([
      { type: 'lessons_recalled', data: { attempt: 1, count: 1 } },
      { type: 'turn_made' },
    ]);
  });

  test('tool calls are reported with their status', () => {
    const { events } = made({}, [0.5]);
    expect(events(turnsWith(0, turn))).toEqual([expected]);
    const used = { version: 1, callId: '0.0', tool: 'search', text: 'secret', durationMs: 1, createdAt: '', step: 10 };
    expect(events({ type: 'observations', observations: [{ ...used, status: 'timed_out' }], durationMs: 1 })).toEqual([
      { type: 'tool_used', data: { version: 1, tool: 'search', status: 'timed_out' } },
    ]);
  });
});
