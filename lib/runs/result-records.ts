import { authorsOfRun } from '#lib/audit/queries.ts';
import { DELEGATE_TOOL, usedTools } from '#lib/core/agents/tool-calls.ts';
import type { Decision, History } from '#lib/core/history.ts';
import { SOURCE_INPUT_LENGTH } from '#lib/core/lesson-schema.ts';
import { namedServices } from '#lib/core/named-models.ts';
import { droppedVersions } from '#lib/core/retained-versions.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { type StepResult, versionsOf } from '#lib/core/step.ts';
import { snakeCase } from '#lib/core/text-values.ts';
import type { RunDigest } from '#lib/statistics/digest-run.ts';
import {
  CRITIQUE_COLUMNS,
  DECISION_COLUMNS,
  EVALUATION_COLUMNS,
  LESSON_COLUMNS,
  OBSERVATION_COLUMNS,
  TRY_COLUMNS,
  TURN_COLUMNS,
  VERSION_COLUMNS,
} from './run-rows.ts';
import type { Save } from './save.ts';

/** Returns the distinct tools that agents used for a version, in the order of first use. Delegation does not count as a tool. */
function toolsUsedFor({ turns }: Pick<History, 'turns'>, version: number): string[] {
  const used = turns.filter((turn) => turn.version === version).flatMap(({ calls }) => calls.map(({ tool }) => tool));
  return [...new Set(used)].filter((tool) => tool !== DELEGATE_TOOL);
}

/**
 * SQL that inserts each kind of record, joined with the fenced run rows `fenced` (see `saveResults`). `list` is the parameter with the
 * records as a JSON list.
 */
export const RECORD_INSERTS: Record<keyof ReturnType<typeof recordsOf>, (list: string) => string> = {
  versions: (list) => VERSION_COLUMNS.insert('reflection_versions', list),
  evaluations: (list) =>
    EVALUATION_COLUMNS.insert('evaluations', list, {
      sent: { ordinal: 'int' },
      computed: { ordinal: 'f.first_evaluation + v.ordinal' },
    }),
  critiques: (list) => CRITIQUE_COLUMNS.insert('critiques', list),
  lessons: (list) =>
    LESSON_COLUMNS.insert('lessons', list, {
      fields: {
        admission: 'text',
        block: 'text',
        agent: 'text',
        taskType: 'text',
        tools: 'text[]',
        sourceInput: 'text',
        sourceScore: 'float8',
        createdBy: 'text',
        authorId: 'text',
      },
      sent: { services: 'jsonb' },
      computed: { status: "'candidate'", authors: authorsOfRun('f.id', 'v.services') },
    }),
  lessonChecks: (list) => `INSERT INTO lesson_checks (lesson_id, number, edit, kind, outcome, result, created_at)
    SELECT v."lessonId", 0, 0, 'model', v.outcome, v.result, v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, "lessonId" uuid, outcome text, result jsonb, "createdAt" timestamptz) USING (place)`,
  tries: (list) => TRY_COLUMNS.insert('case_tries', list),
  turns: (list) => TURN_COLUMNS.insert('agent_turns', list),
  observations: (list) => OBSERVATION_COLUMNS.insert('agent_observations', list),
  decisions: (list) =>
    DECISION_COLUMNS.insert('decisions', list, {
      sent: { ordinal: 'int' },
      computed: { ordinal: 'f.first_decision + v.ordinal' },
    }),
  // The join skips lessons that were deleted meanwhile.
  recalls: (list) => `INSERT INTO recalls (run_id, version, rank, lesson_id, score, effect)
    SELECT f.id, v.version, v.rank, l.id, v.score, v.effect
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, version int, rank int, "lessonId" uuid, score float8, effect text) USING (place)
    JOIN lessons l ON l.id = v."lessonId"`,
  effects: (list) => `UPDATE recalls k SET effect = v.effect
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, version int, "lessonId" uuid, effect text) USING (place)
    WHERE k.run_id = f.id AND k.version = v.version AND k.lesson_id = v."lessonId"`,
  // Locks lessons in ID order to avoid deadlocks, because many runs use the same lessons at the same time.
  uses: (
    list,
  ) => `UPDATE lessons l SET helpful = l.helpful + u.helpful, harmful = l.harmful + u.harmful, neutral = l.neutral + u.neutral,
      last_used_at = greatest(l.last_used_at, u.at)
    FROM (SELECT v."lessonId" AS id, (count(*) FILTER (WHERE v.effect = 'helpful'))::int AS helpful, (count(*) FILTER (WHERE v.effect = 'harmful'))::int AS harmful,
        (count(*) FILTER (WHERE v.effect = 'neutral'))::int AS neutral, max(v.at) AS at
      FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, "lessonId" uuid, effect text, at timestamptz) USING (place) GROUP BY v."lessonId") u
    JOIN (SELECT id FROM lessons WHERE id IN (SELECT "lessonId" FROM json_to_recordset(${list}::json) AS w("lessonId" uuid)) ORDER BY id FOR NO KEY UPDATE) locked USING (id)
    WHERE l.id = u.id`,
  drops: (list) => `UPDATE reflection_versions v SET output = '', output_dropped = true
    FROM fenced f JOIN json_to_recordset(${list}::json) AS d(place int, number int) USING (place) WHERE v.run_id = f.id AND v.number = d.number`,
  deliveries: (
    list,
  ) => `INSERT INTO webhook_deliveries (id, webhook, run_id, pause_id, state, next_try_at, request_body, outcome, created_at)
    SELECT v.id, v.webhook, f.id, v."pauseId", v.state, CASE v.state WHEN 'waiting' THEN now() END, v."requestBody", v.outcome, v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, id uuid, webhook text, "pauseId" uuid, state text, "requestBody" text, outcome text, "createdAt" timestamptz) USING (place)`,
};

/** Returns the decisions among results. */
export function decisionsOf(results: readonly StepResult[]): Decision[] {
  return results.flatMap((result) => {
    if (result.type === 'decision') return [result.decision];
    return result.type === 'end' && result.decision !== null ? [result.decision] : [];
  });
}

/** Returns the records of a save as flat objects, one list per table. Ordinals count from 1 within the save. */
export function recordsOf({
  results,
  settings,
  input,
  history,
  deliveries,
  effects = [],
  lessonAuthorId = null,
  now,
}: Save) {
  const versions = results.flatMap(versionsOf);
  const evaluations = results.flatMap((result) => (result.type === 'evaluation' ? [result.evaluation] : []));
  const critiques = results.flatMap((result) => (result.type === 'critique' ? [result.critique] : []));
  const lessons = results.flatMap((result) => (result.type === 'lesson' ? [result.lesson] : []));
  const tries = results.flatMap((result) => (result.type === 'tries' ? result.tries : []));
  const turns = results.flatMap((result) => (result.type === 'turns' ? result.turns : []));
  const observations = results.flatMap((result) => (result.type === 'observations' ? result.observations : []));
  const decisions = decisionsOf(results).filter(({ by }) => by !== 'policy');
  const dropped = results.flatMap((result) =>
    result.type === 'end' ? droppedVersions(history, settings, result.ending) : [],
  );
  const effectOf = (version: number, lessonId: string) =>
    effects.find((outcome) => outcome.version === version && outcome.lessonId === lessonId)?.effect ?? null;
  const atHand = usedTools(settings.generator.base);
  return {
    versions: versions.map((version) => ({
      ...VERSION_COLUMNS.values(version),
      ...(dropped.includes(version.number) && { output: '', outputDropped: true }),
    })),
    drops: dropped.map((number) => ({ number })),
    deliveries,
    evaluations: evaluations.map((evaluation, position) => ({
      ...EVALUATION_COLUMNS.values(evaluation),
      ordinal: position + 1,
    })),
    critiques: critiques.map(CRITIQUE_COLUMNS.values),
    lessons: lessons.map((lesson) => ({
      ...LESSON_COLUMNS.values(lesson),
      admission: settings.lessons.write === 'stage' ? 'staged' : 'waiting',
      withheld: lesson.withheld === true,
      block: settings.lessons.block,
      agent: settings.lessons.agent,
      taskType: settings.taskType,
      // Models may request tools that do not exist.
      tools: toolsUsedFor(history, lesson.version).filter((tool) => atHand.includes(tool)),
      sourceInput: input.slice(0, SOURCE_INPUT_LENGTH),
      sourceScore: scoreOf(history, lesson.version),
      createdBy: `${(settings.reflectionModel ?? settings.generator).provider}/${(settings.reflectionModel ?? settings.generator).model}`,
      authorId: lessonAuthorId,
      services: namedServices(settings),
    })),
    lessonChecks: lessons.flatMap(({ id, modelCheck, createdAt }) => {
      if (modelCheck === undefined) return [];
      const { outcome, model, reason } = modelCheck;
      return { lessonId: id, outcome, result: { model, reason }, createdAt };
    }),
    tries: tries.map(TRY_COLUMNS.values),
    turns: turns.map(TURN_COLUMNS.values),
    observations: observations.map(OBSERVATION_COLUMNS.values),
    decisions: decisions.map((decision, position) => ({ ...decision, ordinal: position + 1 })),
    recalls: versions.flatMap((version) =>
      version.recalledLessons.map((recall) => ({
        ...recall,
        version: version.number,
        effect: effectOf(version.number, recall.lessonId),
      })),
    ),
    // Recalls of a version in the same save are inserted with their effect.
    effects: effects.filter(
      ({ version, effect }) => effect !== null && !versions.some(({ number }) => number === version),
    ),
    uses: effects.map(({ lessonId, effect }) => ({ lessonId, effect, at: now })),
  };
}

/** Measures of a digest in `run_measures`, each with its SQL type. */
const MEASURE_TYPES = {
  format: 'int',
  scores: 'jsonb',
  scoredVersions: 'int',
  firstScore: 'float8',
  bestScore: 'float8',
  lastScore: 'float8',
  solvedAt: 'int',
  lastSatisfactory: 'boolean',
  evaluations: 'int',
  unscored: 'int',
  issuesNamed: 'int',
  issuesResolved: 'int',
  checksFailing: 'int',
  checksCorrected: 'int',
  checksPassing: 'int',
  checksIntroduced: 'int',
  retriesAfterFail: 'int',
  repeatedAnswers: 'int',
  judged: 'jsonb',
} satisfies Partial<Record<keyof RunDigest, string>>;
const MEASURES = Object.keys(MEASURE_TYPES);
const MEASURE_COLUMNS = MEASURES.map(snakeCase);
const MEASURE_RECORD = Object.entries(MEASURE_TYPES).map(([name, type]) => `"${name}" ${type}`);

/**
 * The measures of a run and its end time (ISO 8601). `outputs`: the searchable text in addition to the input, or null if it is added later.
 */
export type MeasureRecord = RunDigest & { endedAt: string; outputs: string | null };

/** Length in characters up to which texts are made searchable with the save. Longer texts follow later. */
const MAX_INLINE_SEARCH_LENGTH = 20_000;

/** Returns the words of all outputs of an ended run for its search vector, or null if the outputs are long or some are dropped. */
export function searchedOutputs(
  { versions }: Pick<History, 'versions'>,
  { preserveAllVersions }: Pick<ExperimentSettings, 'preserveAllVersions'>,
): string | null {
  const outputs = versions.map(({ output }) => output).join('\n');
  return preserveAllVersions && outputs.length <= MAX_INLINE_SEARCH_LENGTH ? withoutRepeatedWords(outputs) : null;
}

/** A word whose neighbors do not change how PostgreSQL reads it, unless they belong to a tag. */
const PLAIN_WORD = /^\p{L}+[.,;:!?]?$/u;

/**
 * Returns a shorter text with the same search vector: each plain word once. PostgreSQL needs about 0.15 ms per 1,000 characters, and
 * revisions repeat most words.
 */
export function withoutRepeatedWords(text: string): string {
  if (text.includes('<')) return text;
  const seen = new Set<string>();
  return text
    .split(' ')
    .filter((word) => !PLAIN_WORD.test(word) || (!seen.has(word) && seen.add(word)))
    .join(' ');
}

/** SQL for the new `revision`, set by each write of an ended run. */
export const NEW_REVISION = 'pg_current_xact_id()::text::bigint';

/** Returns SQL for the search vector of a run's texts, without word positions. */
export const searchVector = (text: string) => `strip(to_tsvector('simple', ${text}))`;

/**
 * Returns SQL that upserts measures. `runs` names a relation with `id`, `experiment_id`, `experiment_version`, `input` and `place` of each
 * run. `list` is the parameter with the records as a JSON list.
 */
export function measureInsert(runs: string, list: string): string {
  return `INSERT INTO run_measures (run_id, experiment_id, experiment_version, ended_at, revision, search, searched, ${MEASURE_COLUMNS.join(', ')})
    SELECT f.id, f.experiment_id, f.experiment_version, v."endedAt", ${NEW_REVISION},
      CASE WHEN v.outputs IS NOT NULL AND length(f.input) <= ${MAX_INLINE_SEARCH_LENGTH} THEN ${searchVector("concat_ws(E'\\n', f.input, v.outputs)")} END,
      v.outputs IS NOT NULL AND length(f.input) <= ${MAX_INLINE_SEARCH_LENGTH}, ${MEASURES.map((name) => `v."${name}"`).join(', ')}
    FROM ${runs} f JOIN json_to_recordset(${list}::json) AS v(place int, "endedAt" timestamptz, outputs text, ${MEASURE_RECORD.join(', ')}) USING (place)
    ON CONFLICT (run_id) DO UPDATE SET search = excluded.search, searched = excluded.searched, ended_at = excluded.ended_at, revision = excluded.revision,
      ${MEASURE_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}
