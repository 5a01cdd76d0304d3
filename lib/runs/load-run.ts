import { z } from 'zod';
import { withBudget } from '#lib/core/budget-settings.ts';
import { settingsForCase } from '#lib/core/case-criteria.ts';
import type { History } from '#lib/core/history.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { spendsOf } from '#lib/core/spend.ts';
import { redrawnCases } from '#lib/core/tuning/redraw.ts';
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
  recallRow,
  TRY_COLUMNS,
  TURN_COLUMNS,
  VERSION_COLUMNS,
} from './run-rows.ts';

/** A run as it is stored: its row, the settings that hold for its case (with the budgets it was resumed with), those of its experiment, and its whole history. */
export type StoredRun = {
  run: RunRow;
  experimentName: string;
  settings: ExperimentSettings;
  experimentSettings: ExperimentSettings;
  history: History;
};

const loadedSchema = z.object({
  run: RUN_COLUMNS.row,
  experiment_name: z.string(),
  settings: settingsSchema,
  versions: z.array(VERSION_COLUMNS.row).nullable(),
  evaluations: z.array(EVALUATION_COLUMNS.row).nullable(),
  critiques: z.array(CRITIQUE_COLUMNS.row).nullable(),
  lessons: z.array(LESSON_COLUMNS.row).nullable(),
  decisions: z.array(DECISION_COLUMNS.row).nullable(),
  recalls: z.array(recallRow).nullable(),
  open_calls: z.object({ tokens: z.int(), cost_usd: z.number() }),
});

const LOAD = `
  SELECT to_json(r) AS run, e.name AS experiment_name, s.settings,
    (SELECT json_agg(v ORDER BY v.number) FROM reflection_versions v WHERE v.run_id = r.id) AS versions,
    (SELECT json_agg(v ORDER BY v.ordinal) FROM evaluations v WHERE v.run_id = r.id) AS evaluations,
    (SELECT json_agg(c ORDER BY c.id) FROM critiques c WHERE c.run_id = r.id) AS critiques,
    (SELECT json_agg(l ORDER BY l.step) FROM lessons l WHERE l.run_id = r.id
      AND (l.step > 0 OR (l.step = 0 AND l.author_id IS NULL AND NOT EXISTS (SELECT 1 FROM reflection_versions v WHERE v.run_id = r.id AND v.step = 0)))
      AND l.kind IN ('lesson', 'failure', 'partial', 'success')) AS lessons,
    (SELECT json_agg(d ORDER BY d.ordinal) FROM decisions d WHERE d.run_id = r.id) AS decisions,
    (SELECT json_agg(k ORDER BY k.version, k.rank) FROM recalls k WHERE k.run_id = r.id) AS recalls,
    (SELECT json_build_object('tokens', coalesce(sum(c.input_tokens + c.output_tokens), 0), 'cost_usd', coalesce(sum(c.cost_usd), 0))
       FROM model_calls c WHERE c.run_id = r.id AND c.step >= r.step AND c.failure IS NULL AND r.finished_at IS NULL) AS open_calls
  FROM runs r
  JOIN experiments e ON e.id = r.experiment_id
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
  WHERE r.id = $1`;

/** Of a tuning run, which alone has any: other runs pay nothing for them. */
const LOAD_TRIES = `
  SELECT
    (SELECT json_agg(json_build_object('position', c.position, 'split', c.split, 'input', c.input, 'reference', c.reference, 'tags', c.tags, 'metadata', c.metadata, 'criteria', c.criteria) ORDER BY c.position)
       FROM run_cases c WHERE c.run_id = $1) AS cases,
    (SELECT json_agg(t ORDER BY t.step, t.version, t.position, t.attempt) FROM case_tries t WHERE t.run_id = $1) AS tries`;
const triesSchema = z.object({ cases: z.array(caseRow).nullable(), tries: z.array(TRY_COLUMNS.row).nullable() });

/** Of a run whose attempts an agent makes. */
const LOAD_TRAJECTORIES = `
  SELECT
    (SELECT json_agg(t) FROM agent_turns t WHERE t.run_id = $1) AS turns,
    (SELECT json_agg(o) FROM agent_observations o WHERE o.run_id = $1) AS observations`;
const trajectoriesSchema = z.object({
  turns: z.array(TURN_COLUMNS.row).nullable(),
  observations: z.array(OBSERVATION_COLUMNS.row).nullable(),
});

/**
 * Reads a run with its history, a tuning run with its cases and tries and an agent's with what it did too; null when there is no such
 * run.
 */
export async function loadRun(database: Database, runId: string): Promise<StoredRun | null> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'load-run',
    text: LOAD,
    values: [runId],
  });
  if (rows[0] === undefined) return null;
  const loaded = loadedSchema.parse(rows[0]);
  const { mode, generator } = loaded.settings;
  const [tries, trajectories] = await Promise.all([
    mode === 'tune' ? loadTries(database, runId) : NO_TRIES,
    generator.base.type === 'single' ? NO_TRAJECTORIES : loadTrajectories(database, runId),
  ]);
  return storedRun(loaded, { ...tries, ...trajectories });
}

async function loadTries(database: Database, runId: string): Promise<Tries> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'load-tries',
    text: LOAD_TRIES,
    values: [runId],
  });
  const { cases, tries } = triesSchema.parse(rows[0]);
  return { cases: cases ?? [], tries: tries ?? [] };
}

async function loadTrajectories(database: Database, runId: string): Promise<Trajectories> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'load-trajectories',
    text: LOAD_TRAJECTORIES,
    values: [runId],
  });
  const { turns, observations } = trajectoriesSchema.parse(rows[0]);
  return {
    turns: (turns ?? []).sort((one, other) => one.step - other.step || byPlace(one.delegation, other.delegation)),
    observations: (observations ?? []).sort((one, other) => one.step - other.step || byPlace(one.callId, other.callId)),
  };
}

/** Ids of calls in the order of their places: 3.2 before 3.10. */
function byPlace(one: string | null, other: string | null): number {
  return places.compare(one ?? '', other ?? '');
}
const places = new Intl.Collator('en', { numeric: true });

type Tries = Pick<History, 'cases' | 'tries'>;
type Trajectories = Pick<History, 'turns' | 'observations'>;
const NO_TRIES: Tries = { cases: [], tries: [] };
const NO_TRAJECTORIES: Trajectories = { turns: [], observations: [] };

/** A run of which only its row is stored, from that row as `run`, its `experiment_name` and its `settings`. */
export function untouchedRun(row: object): StoredRun {
  return storedRun(loadedSchema.parse({ ...row, ...NO_HISTORY }), { ...NO_TRIES, ...NO_TRAJECTORIES });
}

const NO_HISTORY = {
  versions: null,
  evaluations: null,
  critiques: null,
  lessons: null,
  decisions: null,
  recalls: null,
  open_calls: { tokens: 0, cost_usd: 0 },
};

function storedRun(loaded: z.infer<typeof loadedSchema>, more: Tries & Trajectories): StoredRun {
  return {
    run: loaded.run,
    experimentName: loaded.experiment_name,
    settings: settingsForCase(withBudget(loaded.settings, loaded.run.ownBudget ?? null), loaded.run),
    experimentSettings: loaded.settings,
    history: historyOf(loaded, more),
  };
}

function historyOf(
  loaded: z.infer<typeof loadedSchema>,
  { cases, tries, turns, observations }: Tries & Trajectories,
): History {
  const recalls = loaded.recalls ?? [];
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
    turns,
    observations,
    decisions: loaded.decisions ?? [],
    cases: redrawnCases(cases, loaded.run.redraw),
    tries,
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

function meanInputLength(cases: History['cases']): number {
  return Math.ceil(cases.reduce((sum, { input }) => sum + input.length, 0) / cases.length);
}

/** What was paid beyond the saved records and the saved replies of the step that is still open. */
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
