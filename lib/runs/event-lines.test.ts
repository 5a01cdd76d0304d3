import { expect, test } from 'vitest';
import { readEventLines, writeEventLine } from './event-lines.ts';
import { RUN_EVENTS, type RunEvent } from './run-events.ts';
import { STORED_WORDS } from './stored-lines.ts';

const NOW = new Date('2026-01-05T10:00:00.123Z');

test('the codes, fields and words of stored events are those of all earlier versions', () => {
  const layouts = Object.entries(RUN_EVENTS)
    .toSorted(([, one], [, other]) => one.code - other.code)
    .map(([type, { code, data }]) => `${code} ${type} ${Object.keys(data.shape).join(' ')}`);
  expect(layouts).toMatchInlineSnapshot(`
    [
      "0 attempt_started attempt maxAttempts",
      "1 lessons_recalled attempt count",
      "2 output_made version",
      "3 evaluated version score",
      "4 threshold_met version",
      "5 critiqued version issues trigger",
      "6 turn_made version agent number calls",
      "7 tool_used version tool status",
      "8 decided decision by",
      "9 stopped reason",
      "10 revised version strategy",
      "11 max_attempts_reached finalScore attempts",
      "12 lesson_produced lesson",
      "13 lesson_persisted block",
      "14 lesson_not_stored version reason",
      "15 tried version cases mean",
      "16 proposal_held_back version problems",
      "17 proposal_rejected version before after",
      "18 proposal_passed version before after",
      "19 proposal_validated version cases verdict",
      "20 validation_redrawn toTraining toValidation",
      "21 waiting pauseId",
      "22 failed kind message",
    ]
  `);
  expect(STORED_WORDS.join(' ')).toMatchInlineSnapshot(
    `"policy continue stop max_iterations quality_met person accept ok completion full_rewrite plateau webhook code timeout revise auto failed step_interval tool_result quality_drop default user_accepted user_stopped diminishing oscillation semantic_stability model_failed"`,
  );
  expect(new Set(STORED_WORDS).size).toBe(STORED_WORDS.length);
});

/** One of each type, with the values that are difficult to store. */
const EVENTS: RunEvent[] = [
  { type: 'attempt_started', data: { attempt: 1, maxAttempts: 3 } },
  { type: 'lessons_recalled', data: { attempt: 1, count: 0 } },
  { type: 'output_made', data: { version: 0 } },
  { type: 'evaluated', data: { version: 0, score: 0.1 + 0.2 } },
  { type: 'evaluated', data: { version: 0, score: null } },
  { type: 'threshold_met', data: { version: 12 } },
  { type: 'critiqued', data: { version: 0, issues: 2, trigger: 'completion' } },
  { type: 'turn_made', data: { version: 0, agent: 'stop', number: 1, calls: 2 } },
  { type: 'tool_used', data: { version: 0, tool: '3', status: 'unknown_tool' } },
  { type: 'decided', data: { decision: 'continue', by: 'policy' } },
  { type: 'decided', data: { decision: 'toString', by: 'code' } },
  { type: 'stopped', data: { reason: 'max_iterations' } },
  { type: 'revised', data: { version: 1, strategy: null } },
  { type: 'revised', data: { version: 1, strategy: 'full_rewrite' } },
  { type: 'max_attempts_reached', data: { finalScore: 1e-7, attempts: 3 } },
  { type: 'lesson_produced', data: { lesson: 'a "b", [c]\n\u2028\\u0000 \ud83d\ude00 d\n' } },
  { type: 'lesson_persisted', data: { block: '' } },
  { type: 'lesson_not_stored', data: { version: 0, reason: '[1,2' } },
  { type: 'tried', data: { version: 0, cases: 5, mean: 0.333333 } },
  { type: 'proposal_held_back', data: { version: 1, problems: ['empty', 'too_long'] } },
  { type: 'proposal_held_back', data: { version: 1, problems: [] } },
  { type: 'proposal_rejected', data: { version: 1, before: 2.5, after: 2 } },
  { type: 'proposal_passed', data: { version: 1, before: -2, after: 1e21 } },
  { type: 'proposal_validated', data: { version: 1, cases: 8, verdict: 'better' } },
  { type: 'validation_redrawn', data: { toTraining: 1, toValidation: 1 } },
  { type: 'waiting', data: { pauseId: '01a22d70-f50f-7007-8944-06f40ed87c3c' } },
  { type: 'failed', data: { kind: 'timeout', message: '1,2\n3' } },
];

test('reads each event as it was written, with its fields in the same order', () => {
  expect(new Set(EVENTS.map(({ type }) => type))).toEqual(new Set(Object.keys(RUN_EVENTS)));
  const read = readEventLines(writeEventLine(EVENTS, 7, NOW) + writeEventLine(EVENTS.slice(0, 2), 34, NOW));
  const written = [...EVENTS, ...EVENTS.slice(0, 2)].map(({ type, data }, index) => ({
    number: 7 + index,
    type,
    data,
    at: NOW,
  }));
  expect(JSON.stringify(read)).toBe(JSON.stringify(written));
});

test.each(['1969-12-31T23:59:59.999Z', '2026-01-05T10:00:00.123Z', '2100-01-01T00:00:00.000Z'])(
  'reads the time %s',
  (time) => {
    const [event] = readEventLines(writeEventLine(EVENTS.slice(0, 1), 1, new Date(time)));
    expect(event?.at.toISOString()).toBe(time);
  },
);

test('reads stored lines', () => {
  const [first, second] = [new Date('2026-01-05T10:00:00.123Z'), new Date('2026-01-05T10:00:01.000Z')];
  expect(readEventLines('mk0zosjf,1,0,1,3,1,1,0,2,0\nmk0zot7s,4,3,0,0.5,8,1,0\n')).toEqual([
    { number: 1, type: 'attempt_started', data: { attempt: 1, maxAttempts: 3 }, at: first },
    { number: 2, type: 'lessons_recalled', data: { attempt: 1, count: 0 }, at: first },
    { number: 3, type: 'output_made', data: { version: 0 }, at: first },
    { number: 4, type: 'evaluated', data: { version: 0, score: 0.5 }, at: second },
    { number: 5, type: 'decided', data: { decision: 'continue', by: 'policy' }, at: second },
  ]);
  expect(readEventLines('')).toEqual([]);
  expect(writeEventLine([], 1, NOW)).toBe('');
});
