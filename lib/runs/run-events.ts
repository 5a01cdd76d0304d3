import { z } from 'zod';
import { OBSERVATION_STATUSES } from '#lib/core/agents/tool-calls.ts';
import {
  CRITIQUE_TRIGGERS,
  DECIDERS,
  type ExampleScore,
  type History,
  PROPOSAL_PROBLEMS,
  type Version,
} from '#lib/core/history.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { type StepResult, versionsOf } from '#lib/core/step.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { iterationCap } from '#lib/core/stop-rules.ts';
import { candidateState, isBlocking, isHeldBack } from '#lib/core/tuning/candidate-state.ts';
import { minibatchResult } from '#lib/core/tuning/minibatch.ts';
import { EVIDENCE_VERDICTS, proposalEvidence } from '#lib/core/tuning/paired-evidence.ts';

const count = z.int();
const score = z.number().nullable();

/**
 * Events sent to subscribers of a run, each with its trigger and data. Documented in `docs/reference/events.md`. An event is stored as its
 * code and its values in the order of `data` (see `event-lines.ts`). A type whose fields change needs a new code, and the old one must stay
 * readable.
 */
export const RUN_EVENTS = {
  attempt_started: {
    code: 0,
    when: 'An attempt begins, in `retry` mode.',
    data: z.object({ attempt: count, maxAttempts: count }),
  },
  lessons_recalled: {
    code: 1,
    when: 'Lessons were put into the prompt of an attempt.',
    data: z.object({ attempt: count, count }),
  },
  output_made: { code: 2, when: 'There is a new version.', data: z.object({ version: count }) },
  evaluated: { code: 3, when: 'A version was scored. Unscored is `null`.', data: z.object({ version: count, score }) },
  threshold_met: { code: 4, when: 'A version reached the quality threshold.', data: z.object({ version: count }) },
  max_attempts_reached: {
    code: 11,
    when: 'The last attempt did not solve the case, in `retry` mode.',
    data: z.object({ finalScore: score, attempts: count }),
  },
  critiqued: {
    code: 5,
    when: 'A version was critiqued.',
    data: z.object({ version: count, issues: count, trigger: z.enum(CRITIQUE_TRIGGERS) }),
  },
  lesson_produced: { code: 12, when: 'The run wrote a lesson.', data: z.object({ lesson: z.string() }) },
  lesson_persisted: { code: 13, when: 'The lesson was stored in its block.', data: z.object({ block: z.string() }) },
  lesson_not_stored: {
    code: 14,
    when: 'The reflection at the end could not be used as a lesson.',
    data: z.object({ version: count, reason: z.string() }),
  },
  turn_made: {
    code: 6,
    when: 'An agent made a turn, with so many tool calls.',
    data: z.object({ version: count, agent: z.string(), number: count, calls: count }),
  },
  tool_used: {
    code: 7,
    when: 'A tool returned a result or failed.',
    data: z.object({ version: count, tool: z.string(), status: z.enum(OBSERVATION_STATUSES) }),
  },
  revised: {
    code: 10,
    when: 'The new version is a revision.',
    data: z.object({ version: count, strategy: z.string().nullable() }),
  },
  tried: {
    code: 15,
    when: 'Tuning: a prompt was tried on cases. `mean` is `null` if none was scored.',
    data: z.object({ version: count, cases: count, mean: score }),
  },
  proposal_held_back: {
    code: 16,
    when: 'Tuning: a guard rejects a proposed prompt before its evaluation.',
    data: z.object({ version: count, problems: z.array(z.enum(PROPOSAL_PROBLEMS)) }),
  },
  proposal_rejected: {
    code: 17,
    when: 'Tuning: a proposed prompt was not better. Sums of scores of its parent and its own.',
    data: z.object({ version: count, before: z.number(), after: z.number() }),
  },
  proposal_passed: {
    code: 18,
    when: 'Tuning: a proposed prompt was better, and is validated next.',
    data: z.object({ version: count, before: z.number(), after: z.number() }),
  },
  proposal_validated: {
    code: 19,
    when: 'Tuning: a proposed prompt was compared with its parent on validation cases.',
    data: z.object({ version: count, cases: count, verdict: z.enum(EVIDENCE_VERDICTS) }),
  },
  validation_redrawn: {
    code: 20,
    when: 'Tuning: missed validation cases became training cases, and others took their places.',
    data: z.object({ toTraining: count, toValidation: count }),
  },
  waiting: { code: 21, when: 'The run waits for a decision.', data: z.object({ pauseId: z.string() }) },
  decided: {
    code: 8,
    when: 'Somebody or something decided.',
    data: z.object({ decision: z.string(), by: z.enum(DECIDERS) }),
  },
  failed: { code: 22, when: 'A step failed.', data: z.object({ kind: z.string(), message: z.string() }) },
  stopped: { code: 9, when: 'The run ended.', data: z.object({ reason: z.enum(STOP_REASONS) }) },
} satisfies Record<string, { code: number; when: string; data: z.ZodObject }>;

export type RunEventType = keyof typeof RUN_EVENTS;
export type RunEvent = {
  [Type in RunEventType]: { type: Type; data: z.infer<(typeof RUN_EVENTS)[Type]['data']> };
}[RunEventType];

/** Returns the events of one result. `history` is the history after it. */
export function eventsOf(result: StepResult, history: History, settings: ExperimentSettings): RunEvent[] {
  switch (result.type) {
    case 'version':
    case 'proposals':
      return versionsOf(result).flatMap((version) => eventsOfVersion(version, history, settings));
    case 'evaluation': {
      const { version, overallScore, satisfactory } = result.evaluation;
      const evaluated: RunEvent = { type: 'evaluated', data: { version, score: overallScore } };
      const events = satisfactory ? [evaluated, { type: 'threshold_met' as const, data: { version } }] : [evaluated];
      return [...events, ...validationEvents(version, history)];
    }
    case 'critique': {
      const { version, issues, trigger } = result.critique;
      if (trigger === 'run_end')
        return [{ type: 'lesson_not_stored', data: { version, reason: result.critique.text } }];
      return [{ type: 'critiqued', data: { version, issues: issues.length, trigger } }];
    }
    case 'lesson':
      return [
        { type: 'lesson_produced', data: { lesson: result.lesson.text } },
        { type: 'lesson_persisted', data: { block: settings.lessons.block } },
      ];
    case 'turns': {
      const turns = result.turns.map(
        ({ version, agent, number, calls }): RunEvent => ({
          type: 'turn_made',
          data: { version, agent, number, calls: calls.length },
        }),
      );
      // An agent's attempt starts with its first turn, long before it has a version. The recalled lessons are in that turn's prompt.
      const begins = result.turns.some(({ delegation, number }) => delegation === null && number === 0);
      if (!begins) return turns;
      const { recalled: count } = result;
      if (settings.mode === 'retry') {
        const attempt = (history.versions.at(-1)?.iteration ?? -1) + 2;
        return [started(attempt, history, settings), { type: 'lessons_recalled', data: { attempt, count } }, ...turns];
      }
      const attempt = (history.versions.at(-1)?.iteration ?? 0) + 1;
      return count > 0 ? [{ type: 'lessons_recalled', data: { attempt, count } }, ...turns] : turns;
    }
    case 'observations':
      return result.observations.map(({ version, tool, status }) => ({
        type: 'tool_used',
        data: { version, tool, status },
      }));
    case 'tries':
      return eventsOfTries(result.tries, history, settings);
    case 'redraw': {
      const { toTraining, toValidation } = result.redraw;
      const data = { toTraining: toTraining.length, toValidation: toValidation.length };
      return [{ type: 'validation_redrawn', data }];
    }
    case 'decision':
      return [{ type: 'decided', data: { decision: result.decision.decision, by: result.decision.by } }];
    case 'pause':
      return [{ type: 'waiting', data: { pauseId: result.pause.pauseId } }];
    case 'failure':
      return [{ type: 'failed', data: { kind: result.failure.kind, message: result.failure.message } }];
    case 'end': {
      const { reason, iterationsUsed, finalVersion } = result.ending;
      const stopped: RunEvent = { type: 'stopped', data: { reason } };
      if (settings.mode !== 'retry' || reason !== 'max_iterations') return [stopped];
      const finalScore = finalVersion === null ? null : scoreOf(history, finalVersion);
      return [{ type: 'max_attempts_reached', data: { finalScore, attempts: iterationsUsed } }, stopped];
    }
  }
}

function eventsOfVersion(version: Version, history: History, settings: ExperimentSettings): RunEvent[] {
  const made: RunEvent = { type: 'output_made', data: { version: version.number } };
  const attempt = version.iteration + 1;
  // For an agent, the event of its first turn already reported this.
  if (history.turns.some((turn) => turn.version === version.number)) return [made];
  const recalled: RunEvent = { type: 'lessons_recalled', data: { attempt, count: version.recalledLessons.length } };
  if (settings.mode === 'retry' && version.origin === 'retried')
    return [started(attempt, history, settings), recalled, made];
  const events = version.recalledLessons.length > 0 ? [recalled, made] : [made];
  if (version.origin !== 'revised' && version.proposal === null) return events;
  const revised: RunEvent = { type: 'revised', data: { version: version.number, strategy: version.strategy } };
  if (!isHeldBack(version)) return [...events, revised];
  const problems = version.proposal?.problems.filter(isBlocking).map(({ kind }) => kind) ?? [];
  return [...events, revised, { type: 'proposal_held_back', data: { version: version.number, problems } }];
}

function validationEvents(number: number, history: History): RunEvent[] {
  const version = history.versions.find((one) => one.number === number);
  const evidence = version === undefined ? null : proposalEvidence(history, version);
  if (evidence === null) return [];
  return [{ type: 'proposal_validated', data: { version: number, cases: evidence.n, verdict: evidence.verdict } }];
}

function started(attempt: number, history: History, settings: ExperimentSettings): RunEvent {
  return { type: 'attempt_started', data: { attempt, maxAttempts: iterationCap(history, settings) } };
}

/** Returns the events for example scores, including the outcome if they settle a proposed prompt against its parent. */
function eventsOfTries(tries: ExampleScore[], history: History, settings: ExperimentSettings): RunEvent[] {
  // The example scores of a step all belong to one version.
  const number = tries[0]?.version ?? 0;
  const scores = tries.flatMap(({ score }) => score ?? []);
  const mean = scores.length === 0 ? null : roundTo6(scores.reduce((sum, score) => sum + score, 0) / scores.length);
  const tried: RunEvent = { type: 'tried', data: { version: number, cases: tries.length, mean } };
  const version = history.versions.find((one) => one.number === number);
  if (version === undefined) return [tried];
  const earlier = { ...history, tries: history.tries.filter((one) => !tries.includes(one)) };
  const result = minibatchResult(history, version);
  if (result === null || minibatchResult(earlier, version) !== null) return [tried];
  const { before, after } = result;
  const isRejected = candidateState(history, settings, version) === 'rejected';
  const type = isRejected ? 'proposal_rejected' : 'proposal_passed';
  return [tried, { type, data: { version: number, before, after } }];
}
