import { z } from 'zod';
import { withLimits } from '#lib/core/budget-settings.ts';
import { keepRecent } from '#lib/core/caches.ts';
import { settingsForCase } from '#lib/core/case-criteria.ts';
import type { Decision, ExampleScore, History } from '#lib/core/history.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { spendsOf } from '#lib/core/spend.ts';
import { weighedCases } from '#lib/core/tuning/case-weights.ts';
import { redrawnCases } from '#lib/core/tuning/redraw-validation.ts';
import type { Database } from '#lib/database/database.ts';
import {
  CRITIQUE_COLUMNS,
  caseRow,
  DECISION_COLUMNS,
  EVALUATION_COLUMNS,
  LESSON_COLUMNS,
  OBSERVATION_COLUMNS,
  RUN_COLUMNS,
  type RunRow,
  readPolicyDecisions,
  recallRow,
  TRY_COLUMNS,
  TURN_COLUMNS,
  VERSION_COLUMNS,
} from './run-rows.ts';
import { loadRow } from './worker-queries.ts';

/**
 * A stored run: its row, the settings for its case (including the budgets it was resumed with), the settings of its experiment and its
 * complete history.
 */
export type StoredRun = {
  run: RunRow;
  experimentName: string;
  settings: ExperimentSettings;
  experimentSettings: ExperimentSettings;
  history: History;
};

const numbers = z.array(z.number());
/** Example scores as columns, without their texts. See `loadRow`. */
const triesWithoutTexts = z
  .object({
    ...{ version: numbers, position: numbers, attempt: numbers, step: numbers, score: z.array(z.number().nullable()) },
    ...{ satisfactory: z.array(z.boolean()), paidBefore: z.array(z.boolean()), inputTokens: numbers },
    ...{ outputTokens: numbers, costUsd: z.array(z.number().nullable()), durationMs: numbers },
    // Not validated: checking many thousands of them takes too long.
    criteriaScores: z.array(z.custom<ExampleScore['criteriaScores']>()),
  })
  .transform((columns): ExampleScore[] => {
    return columns.version.map((version, index) => {
      const [input = 0, output = 0] = [columns.inputTokens[index], columns.outputTokens[index]];
      const score = columns.score[index] ?? null;
      return {
        ...{ version, position: columns.position[index] ?? 0, attempt: columns.attempt[index] ?? 0 },
        ...{ score, status: score === null ? 'partial' : 'scored', satisfactory: columns.satisfactory[index] === true },
        criteriaScores: columns.criteriaScores[index] ?? {},
        ...{ output: '', feedback: '', detail: '', issues: [], suggestions: [], finishReason: '', createdAt: '' },
        paidBefore: columns.paidBefore[index] === true,
        tokenUsage: { input, output, total: input + output },
        ...{ costUsd: columns.costUsd[index] ?? null, durationMs: columns.durationMs[index] ?? 0 },
        step: columns.step[index] ?? 0,
      };
    });
  });

const MAX_CACHED_SETTINGS = 50;
const cachedSettings = new Map<string, ExperimentSettings>();

/**
 * Parses the settings of an experiment version. All its runs share the result, which must not be changed: parsing takes as long as a step
 * of a run.
 */
function parseSettings(json: string): ExperimentSettings {
  const settings = cachedSettings.get(json) ?? settingsSchema.parse(JSON.parse(json));
  return keepRecent(cachedSettings, json, settings, MAX_CACHED_SETTINGS);
}

const loadedSchema = z.object({
  run: RUN_COLUMNS.row,
  experiment_name: z.string(),
  settings: z.string().transform(parseSettings),
  versions: z.array(VERSION_COLUMNS.row).nullable(),
  evaluations: z.array(EVALUATION_COLUMNS.row).nullable(),
  critiques: z.array(CRITIQUE_COLUMNS.row).nullable(),
  lessons: z.array(LESSON_COLUMNS.row).nullable(),
  decisions: z.array(DECISION_COLUMNS.row).nullable(),
  policy_decisions: z.array(z.string()).nullable(),
  policy_lines: z.string(),
  recalls: z.array(recallRow).nullable(),
  /** Null except in a tuning run. The same applies to `tries`. */
  cases: z.array(caseRow).nullable(),
  tries: z.array(TRY_COLUMNS.row).nullish(),
  scores: triesWithoutTexts.nullish(),
  /** Null except in a run whose attempts are made by an agent. The same applies to `observations`. */
  turns: z.array(TURN_COLUMNS.row).nullable(),
  observations: z.array(OBSERVATION_COLUMNS.row).nullable(),
  open_calls: z.object({ tokens: z.int(), cost_usd: z.number() }),
});

/**
 * Reads a run with its history, including the cases and example scores of a tuning run and the actions of an agent. Null if the run does
 * not exist. Example scores have no traces (see `withTraces`), and with `scores` no texts either.
 */
export async function loadRun(
  database: Database,
  runId: string,
  tries: 'whole' | 'scores' = 'whole',
): Promise<StoredRun | null> {
  const row = await loadRow(database, runId, tries);
  return row === null ? null : storedRun(loadedSchema.parse(row));
}

/** Compares call IDs by place, so that 3.2 comes before 3.10. */
function byCallId(one: string | null, other: string | null): number {
  return idOrder.compare(one ?? '', other ?? '');
}
const idOrder = new Intl.Collator('en', { numeric: true });

/** Returns a run without history, built from its row as `run`, its `experiment_name` and its `settings` as JSON text. */
export function untouchedRun(row: object): StoredRun {
  return storedRun(loadedSchema.parse({ ...row, ...NO_HISTORY }));
}

const NO_HISTORY = {
  versions: null,
  evaluations: null,
  critiques: null,
  lessons: null,
  decisions: null,
  policy_decisions: null,
  policy_lines: '',
  recalls: null,
  cases: null,
  tries: null,
  turns: null,
  observations: null,
  open_calls: { tokens: 0, cost_usd: 0 },
};

function storedRun(loaded: z.infer<typeof loadedSchema>): StoredRun {
  return {
    run: loaded.run,
    experimentName: loaded.experiment_name,
    settings: settingsForCase(withLimits(loaded.settings, loaded.run.ownBudget ?? null), loaded.run),
    experimentSettings: loaded.settings,
    history: historyOf(loaded),
  };
}

function historyOf(loaded: z.infer<typeof loadedSchema>): History {
  const recalls = loaded.recalls ?? [];
  const cases = loaded.cases ?? [];
  const history: History = {
    inputLength: cases.length === 0 ? loaded.run.input.length : meanInputLength(cases),
    versions: (loaded.versions ?? []).map((version) => ({
      ...version,
      recalledLessons: recalls
        .filter((recall) => recall.version === version.number)
        .map(({ lesson_id, rank, score }) => ({ lessonId: lesson_id, rank, score })),
    })),
    evaluations: loaded.evaluations ?? [],
    critiques: loaded.critiques ?? [],
    lessons: (loaded.lessons ?? []).map(({ withheld, ...lesson }) => ({ ...lesson, ...(withheld && { withheld }) })),
    turns: (loaded.turns ?? []).sort(
      (one, other) => one.step - other.step || byCallId(one.delegation, other.delegation),
    ),
    observations: (loaded.observations ?? []).sort(
      (one, other) => one.step - other.step || byCallId(one.callId, other.callId),
    ),
    decisions: decisionsOf(loaded),
    cases: redrawnCases(weighedCases(cases, loaded.settings.tune), loaded.run.redraw),
    tries: loaded.tries ?? loaded.scores ?? [],
    redraw: loaded.run.redraw,
    pause: loaded.run.pause,
    failure: loaded.run.failure,
    lostSpend: { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, durationMs: 0 },
    calls: loaded.run.callCount,
    step: loaded.run.step,
    activeMs: loaded.run.activeMs,
  };
  return { ...history, lostSpend: lostSpend(loaded, history) };
}

/** Returns all decisions in the order they were made. Decisions of people and of the rules can share a step. */
function decisionsOf({ decisions, policy_decisions, policy_lines }: z.infer<typeof loadedSchema>): Decision[] {
  const all = [...readPolicyDecisions(policy_decisions ?? [], policy_lines), ...(decisions ?? [])];
  return all.toSorted((one, other) => one.step - other.step || Date.parse(one.at) - Date.parse(other.at));
}

function meanInputLength(cases: History['cases']): number {
  return Math.ceil(cases.reduce((sum, { input }) => sum + input.length, 0) / cases.length);
}

/** Returns the spend beyond the saved records and the saved responses of the open step. */
function lostSpend(loaded: z.infer<typeof loadedSchema>, history: History): History['lostSpend'] {
  const { run, open_calls } = loaded;
  const recorded = spendsOf(history);
  const input = run.tokenUsage.input - recorded.reduce((sum, spend) => sum + spend.tokenUsage.input, 0);
  const output = run.tokenUsage.output - recorded.reduce((sum, spend) => sum + spend.tokenUsage.output, 0);
  const total = Math.max(0, input + output - open_calls.tokens);
  const costUsd = run.costUsd - recorded.reduce((sum, spend) => sum + (spend.costUsd ?? 0), 0) - open_calls.cost_usd;
  return {
    tokenUsage: {
      input: Math.min(Math.max(0, input), total),
      output: total - Math.min(Math.max(0, input), total),
      total,
    },
    costUsd: run.unpriced ? null : Math.max(0, costUsd),
    durationMs: 0,
  };
}
