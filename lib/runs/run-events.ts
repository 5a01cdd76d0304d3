import type { ObservationStatus } from '#lib/core/agents/agent-records.ts';
import type { CritiqueTrigger, ExampleScore, History, ProposalProblem } from '#lib/core/history.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { StepResult } from '#lib/core/step.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import { iterationCap } from '#lib/core/stop-rules.ts';
import { roundTo6 } from '#lib/core/text-values.ts';
import { candidateState, isBlocking, isHeldBack } from '#lib/core/tuning/candidate-state.ts';
import { minibatchResult } from '#lib/core/tuning/minibatch.ts';
import { type EvidenceVerdict, proposalEvidence } from '#lib/core/tuning/paired-evidence.ts';

/** What a run tells those who follow it. Names and data as in the API's event list. */
export type RunEvent =
  | { type: 'attempt_started'; data: { attempt: number; maxAttempts: number } }
  | { type: 'lessons_recalled'; data: { attempt: number; count: number } }
  | { type: 'output_made'; data: { version: number } }
  | { type: 'evaluated'; data: { version: number; score: number | null } }
  | { type: 'threshold_met'; data: { version: number } }
  | { type: 'max_attempts_reached'; data: { finalScore: number | null; attempts: number } }
  | { type: 'critiqued'; data: { version: number; issues: number; trigger: CritiqueTrigger } }
  | { type: 'lesson_produced'; data: { lesson: string } }
  | { type: 'lesson_persisted'; data: { block: string } }
  | { type: 'lesson_not_stored'; data: { version: number; reason: string } }
  | { type: 'turn_made'; data: { version: number; agent: string; number: number; calls: number } }
  | { type: 'tool_used'; data: { version: number; tool: string; status: ObservationStatus } }
  | { type: 'revised'; data: { version: number; strategy: string | null } }
  /** Tuning: how many cases a version was tried on just now, and their mean; null where none is scored. */
  | { type: 'tried'; data: { version: number; cases: number; mean: number | null } }
  /** Tuning: a guard keeps a proposed prompt from being tried. */
  | { type: 'proposal_held_back'; data: { version: number; problems: ProposalProblem['kind'][] } }
  /** Tuning: sums of scores over the cases a proposed prompt was made from, its parent's before and its own after; `passed`: it is validated next. */
  | { type: 'proposal_rejected' | 'proposal_passed'; data: { version: number; before: number; after: number } }
  /** Tuning: a proposed prompt beside its parent on the cases it was validated on, see `pairedEvidence`. */
  | { type: 'proposal_validated'; data: { version: number; cases: number; verdict: EvidenceVerdict } }
  /** Tuning: how many missed validation cases became training cases, and how many training cases took their places. */
  | { type: 'validation_redrawn'; data: { toTraining: number; toValidation: number } }
  | { type: 'waiting'; data: { pauseId: string } }
  | { type: 'decided'; data: { decision: string; by: string } }
  | { type: 'failed'; data: { kind: string; message: string } }
  | { type: 'stopped'; data: { reason: StopReason } };

/** The events of one result; `history` is the one after it. */
export function eventsOf(result: StepResult, history: History, settings: ExperimentSettings): RunEvent[] {
  switch (result.type) {
    case 'version': {
      const { version } = result;
      const made: RunEvent = { type: 'output_made', data: { version: version.number } };
      const attempt = version.iteration + 1;
      // The first turn of an agent said so already.
      if (history.turns.some((turn) => turn.version === version.number)) return [made];
      const recalled: RunEvent = { type: 'lessons_recalled', data: { attempt, count: version.recalledLessons.length } };
      if (settings.mode === 'retry' && version.origin === 'retried')
        return [started(attempt, history, settings), recalled, made];
      const told = version.recalledLessons.length > 0 ? [recalled, made] : [made];
      if (version.origin !== 'revised') return told;
      const revised: RunEvent = { type: 'revised', data: { version: version.number, strategy: version.strategy } };
      if (!isHeldBack(version)) return [...told, revised];
      const problems = version.proposal?.problems.filter(isBlocking).map(({ kind }) => kind) ?? [];
      return [...told, revised, { type: 'proposal_held_back', data: { version: version.number, problems } }];
    }
    case 'evaluation': {
      const { version, overallScore, satisfactory } = result.evaluation;
      const evaluated: RunEvent = { type: 'evaluated', data: { version, score: overallScore } };
      const told = satisfactory ? [evaluated, { type: 'threshold_met' as const, data: { version } }] : [evaluated];
      return [...told, ...validationEvents(version, history)];
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
      // An agent's attempt begins with its first turn, long before there is a version; its lessons stand in that turn's prompt.
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

function validationEvents(number: number, history: History): RunEvent[] {
  const version = history.versions.find((one) => one.number === number);
  const evidence = version === undefined ? null : proposalEvidence(history, version);
  if (evidence === null) return [];
  return [{ type: 'proposal_validated', data: { version: number, cases: evidence.n, verdict: evidence.verdict } }];
}

function started(attempt: number, history: History, settings: ExperimentSettings): RunEvent {
  return { type: 'attempt_started', data: { attempt, maxAttempts: iterationCap(history, settings) } };
}

/** What was tried, and whether it settles a proposed prompt against its parent. */
function eventsOfTries(tries: ExampleScore[], history: History, settings: ExperimentSettings): RunEvent[] {
  // The tries of a step are all of one version.
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
