import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import { criteriaForCase } from '#lib/core/case-criteria.ts';
import { ownValue } from '#lib/core/json-values.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type RecalledLessonText, recalledTexts } from '#lib/lessons/recall-queries.ts';
import { findRunResult, type RunResult } from '#lib/runs/queries.ts';
import type { ArmName } from './arm-name.ts';
import { type ComparedArms, findComparedArms, nameOf } from './compare-experiments.ts';
import { type FoundArm, listArmRuns } from './queries.ts';
import type { CaseResult, ComparedCase } from './schema.ts';

type CaseQuery = { arms: readonly ArmName[]; baseline: ArmName | null; caseKey: string };

/** Returns the results of each arm on one case: the result of its first run, and the lessons recalled in that run. */
export async function findComparedCase(
  context: DatabaseContext,
  { arms: names, baseline, caseKey }: CaseQuery,
): Promise<Result<ComparedCase>> {
  const found = await findComparedArms(context, names, baseline);
  return found.ok ? findComparedCaseOf(context, found.value, caseKey) : found;
}

/** Like `findComparedCase`, for arms that are already found. */
export async function findComparedCaseOf(
  { database }: DatabaseContext,
  arms: ComparedArms,
  caseKey: string,
): Promise<Result<ComparedCase>> {
  const looks = await Promise.all(arms.map((arm) => findArmCaseDetail(database, arm, caseKey)));
  const task = looks.find(({ task: one }) => one !== null)?.task ?? null;
  if (task === null) return fail('not_found', 'None of these experiments has an ended run of this case.');
  return succeed({
    caseKey,
    input: task.input,
    ...(task.messages && { messages: task.messages }),
    reference: task.reference,
    arms: looks.map(({ arm, runs, result }) => ({ arm, runs, result })),
  });
}

type ArmCaseDetail = ComparedCase['arms'][number] & { task: RunResult | null };

async function findArmCaseDetail(
  database: AppContext['database'],
  arm: FoundArm,
  caseKey: string,
): Promise<ArmCaseDetail> {
  const runs = await listArmRuns(database, arm, [caseKey]);
  const first = runs[0]?.id;
  const [task, recalled] =
    first === undefined
      ? [null, []]
      : await Promise.all([findRunResult(database, first), recalledTexts(database, first)]);
  return {
    arm: nameOf(arm),
    task,
    runs: runs.map(({ id, number, bestScore, success }) => ({ id, number, score: bestScore, success })),
    result: task === null ? null : resultOf(task, arm, recalled),
  };
}

function resultOf(run: RunResult, { settings }: FoundArm, recalled: readonly RecalledLessonText[]): CaseResult {
  const { id, number, status, success, version, versionCount, output, score, satisfactory } = run;
  const thresholds = new Map(
    criteriaForCase(settings.criteria, run).map((criterion) => [criterion.name, criterion.threshold]),
  );
  const scored = new Set([...thresholds.keys(), ...Object.keys(run.criteriaScores)]);
  const lessons = [...Map.groupBy(recalled, ({ lessonId }) => lessonId).values()];
  return {
    runId: id,
    number,
    status,
    success,
    version,
    versionCount,
    output,
    score,
    satisfactory,
    criteria: [...scored].map((name) => ({
      name,
      score: ownValue(run.criteriaScores, name),
      threshold: thresholds.get(name) ?? null,
      reason: ownValue(run.reasons, name),
    })),
    recalled: lessons.flatMap((recalls) => {
      const [one] = recalls;
      if (one === undefined) return [];
      const { lessonId, kind, text, isOwn } = one;
      return [{ lessonId, kind, text, isOwn, versions: recalls.map((lesson) => lesson.version) }];
    }),
  };
}
