import type { Evaluation, History, Version } from '#lib/core/history.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { StepResult } from '#lib/core/step.ts';
import type { Database } from '#lib/database/database.ts';
import { recallBaselines } from '#lib/lessons/recall-baselines.ts';
import { recallEffect } from '#lib/lessons/recall-effect.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import type { RecallOutcome } from '#lib/runs/save-results.ts';

/**
 * What the evaluations among results that are about to be saved say of the lessons their versions were given; `history` is the one
 * with them. Saved along with them, so that each counts once. A version is compared with the one before it, where that one was not
 * given the lesson; a first version with what the lesson was learned from, where that was this very input, else with the mean
 * of finished runs under the same settings on this input that were given nothing. Asks the database only for the last two.
 */
export async function recallOutcomes(
  database: Database,
  { run }: StoredRun,
  history: History,
  results: StepResult[],
): Promise<RecallOutcome[]> {
  const outcomes: RecallOutcome[] = [];
  for (const result of results) {
    if (result.type !== 'evaluation' || !isFirstScore(history, result.evaluation)) continue;
    const version = history.versions.find(({ number }) => number === result.evaluation.version);
    if (version === undefined || version.recalledLessons.length === 0) continue;
    const before = versionBefore(history, version);
    const scoreBefore = before === null ? await scoresWithout(database, run, version) : scoresOfBefore(history, before);
    for (const { lessonId } of version.recalledLessons) {
      const effect = recallEffect({ before: scoreBefore(lessonId), after: result.evaluation.overallScore });
      outcomes.push({ version: version.number, lessonId, effect });
    }
  }
  return outcomes;
}

/** By lesson: the score that its version is compared with, null where there is none. */
type ScoreBefore = (lessonId: string) => number | null;

function isFirstScore(history: History, evaluation: Evaluation): boolean {
  if (evaluation.by !== 'machine' || evaluation.status !== 'scored') return false;
  const first = history.evaluations.find(
    ({ by, status, version }) => by === 'machine' && status === 'scored' && version === evaluation.version,
  );
  return first === evaluation;
}

/** The version a revision was made from; in retry mode the attempt before. */
function versionBefore(history: History, { number, origin, parents }: Version): Version | null {
  const before = origin === 'retried' ? number - 1 : parents[0];
  return history.versions.find((version) => version.number === before) ?? null;
}

function scoresOfBefore(history: History, before: Version): ScoreBefore {
  const given = new Set(before.recalledLessons.map(({ lessonId }) => lessonId));
  const score = scoreOf(history, before.number);
  return (lessonId) => (given.has(lessonId) ? null : score);
}

async function scoresWithout(database: Database, run: StoredRun['run'], version: Version): Promise<ScoreBefore> {
  const { sourceScores, meanFirst } = await recallBaselines(
    database,
    { runId: run.id, experimentId: run.experiment_id, experimentVersion: run.experiment_version, input: run.input },
    version.recalledLessons.map(({ lessonId }) => lessonId),
  );
  return (lessonId) => sourceScores.get(lessonId) ?? meanFirst;
}
