import type { CritiqueTrigger, History, StopReason } from './history.ts';
import { iterationCap } from './iteration-cap.ts';
import { scoreOf } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import type { StepResult } from './step.ts';

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
  | { type: 'revised'; data: { version: number; strategy: string | null } }
  /** Tuning: how many of the cases it is due on a version was tried on, and their mean so far; null while none is scored. */
  | { type: 'tried'; data: { version: number; cases: number; mean: number | null } }
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
      const recalled: RunEvent = { type: 'lessons_recalled', data: { attempt, count: version.recalledLessons.length } };
      if (settings.mode === 'retry' && version.origin === 'retried') {
        const started: RunEvent = {
          type: 'attempt_started',
          data: { attempt, maxAttempts: iterationCap(history, settings) },
        };
        return [started, recalled, made];
      }
      const told = version.recalledLessons.length > 0 ? [recalled, made] : [made];
      return version.origin === 'revised'
        ? [...told, { type: 'revised', data: { version: version.number, strategy: version.strategy } }]
        : told;
    }
    case 'evaluation': {
      const { version, overallScore, satisfactory } = result.evaluation;
      const evaluated: RunEvent = { type: 'evaluated', data: { version, score: overallScore } };
      return satisfactory ? [evaluated, { type: 'threshold_met', data: { version } }] : [evaluated];
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
    case 'tries': {
      const version = result.tries[0]?.version ?? 0;
      const scores = result.tries.flatMap(({ score }) => (score === null ? [] : [score]));
      const mean = scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
      return [{ type: 'tried', data: { version, cases: result.tries.length, mean } }];
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
