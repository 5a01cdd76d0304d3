import type { Case } from '#lib/core/case.ts';
import { EMPTY_HISTORY, type Evaluation, type History, NO_SPEND, type Spend } from '#lib/core/history.ts';
import { roundTo6 } from '#lib/core/round.ts';
import type { RunStatus } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import type { SavedEnding } from '#lib/runs/save-results.ts';
import { historyOfStored } from './history-of-stored.ts';
import type { ImportLine } from './import-line.ts';

/** A past run as it is to be stored: ended, with all that its row repeats of its history. */
export type PastRun = {
  /** What it and its case are called where it comes from. */
  run: string;
  caseId: string;
  case: Case;
  experimentVersion: number;
  history: History;
  status: RunStatus;
  ending: SavedEnding;
  spend: Pick<Spend, 'tokenUsage'> & { costUsd: number; unpriced: boolean; calls: number };
  createdAt: string;
  startedAt: string | null;
};

export type HistoryContext = { settings: ExperimentSettings; newId: () => string; now: string };

/**
 * The run that the lines of one history tell, the first attempt first. Attempts of other systems are fresh tries; a history whose last
 * attempt did not solve its case ended for want of more attempts. Lines that Hone exported give the very history they were made of.
 */
export function historyOfLines(lines: readonly ImportLine[], context: HistoryContext): PastRun {
  const [first] = lines;
  if (first === undefined) throw new Error('a history has at least one line');
  const { id: caseId, ...task } = first.case;
  const names = { run: first.run, caseId, case: task };
  if (first.stored?.run !== undefined) return { ...names, ...historyOfStored(lines, first.stored.run, context) };
  const history = historyOfPlain(lines, context);
  const spend = spendOfRun(history);
  const at = lines.flatMap((line) => line.at ?? []);
  const solved = history.evaluations.at(-1)?.satisfactory === true;
  return {
    ...names,
    experimentVersion: 1,
    history,
    status: 'finished',
    ending: {
      reason: solved ? 'quality_met' : 'max_iterations',
      alsoHeld: [],
      success: solved,
      finalVersion: history.versions.length - 1,
      endedAt: at.at(-1) ?? context.now,
    },
    spend: {
      tokenUsage: spend.tokenUsage,
      costUsd: history.versions.reduce((sum, version) => sum + (version.costUsd ?? 0), 0),
      unpriced: spend.costUsd === null,
      calls: 0,
    },
    createdAt: at[0] ?? context.now,
    startedAt: at[0] ?? null,
  };
}

function historyOfPlain(lines: readonly ImportLine[], context: HistoryContext): History {
  const history: History = { ...EMPTY_HISTORY, inputLength: lines[0]?.case.input.length ?? 0 };
  const { versions, evaluations, lessons } = {
    versions: [...history.versions],
    evaluations: [...history.evaluations],
    lessons: [...history.lessons],
  };
  let step = 0;
  for (const line of lines) {
    const number = line.attempt - 1;
    const createdAt = line.at ?? context.now;
    const { input, output } = line.tokens ?? { input: 0, output: 0 };
    versions.push({
      ...{ number, iteration: number, origin: 'retried', parents: [], output: line.output, outputDropped: false },
      ...{ strategy: null, strategyNote: null, improvementsApplied: [], finishReason: 'stop', interrupted: false },
      ...{ recalledLessons: [], proposal: null, createdAt, step: step++ },
      ...{ tokenUsage: { input, output, total: input + output }, costUsd: line.costUsd, durationMs: 0 },
    });
    evaluations.push({ ...evaluationOf(line, context.settings), version: number, createdAt, step: step++ });
    if (line.lesson !== null && line.lesson.trim() !== '')
      lessons.push({
        ...NO_SPEND,
        id: context.newId(),
        version: number,
        kind: 'lesson',
        text: line.lesson,
        fields: {},
        createdAt,
        step: step++,
      });
  }
  return { ...history, versions, evaluations, lessons, step };
}

function evaluationOf(
  line: ImportLine,
  settings: ExperimentSettings,
): Omit<Evaluation, 'version' | 'createdAt' | 'step'> {
  const score = line.score ?? (line.solved === null ? null : Number(line.solved));
  const criterion = settings.criteria[0]?.name ?? 'score';
  return {
    ...NO_SPEND,
    ...{ by: 'machine', actor: null, reason: null, status: score === null ? 'partial' : 'scored' },
    ...{ overallScore: score, criteriaScores: { [criterion]: score }, reasons: {} },
    satisfactory: line.solved ?? (score !== null && roundTo6(score) >= roundTo6(settings.qualityThreshold)),
    ...{ issues: line.issues, suggestions: [], confidence: null, feedback: line.feedback, detail: line.feedback },
    ...{ answer: null, sameModelJudge: false },
  };
}
