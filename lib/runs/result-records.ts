import { authorsOfRun } from '#lib/audit/contributions.ts';
import { DELEGATE_TOOL } from '#lib/core/agents/agent-records.ts';
import { usedTools } from '#lib/core/agents/base-settings.ts';
import type { History } from '#lib/core/history.ts';
import { namedServices } from '#lib/core/named-models.ts';
import { droppedVersions } from '#lib/core/retained-versions.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { Save } from './save-results.ts';

/** The tools that agents used on their way to a version, each once, in the order of their first use; delegating is none. */
function toolsUsedFor({ turns }: Pick<History, 'turns'>, version: number): string[] {
  const used = turns.filter((turn) => turn.version === version).flatMap(({ calls }) => calls.map(({ tool }) => tool));
  return [...new Set(used)].filter((tool) => tool !== DELEGATE_TOOL);
}

/**
 * How records get into their tables, beside the fenced run row `fenced` (see `saveResults`): `list` is the parameter that holds
 * a kind's records as a JSON list.
 */
export const RECORD_INSERTS: Record<keyof Records, (list: string) => string> = {
  versions: (
    list,
  ) => `INSERT INTO reflection_versions (run_id, number, iteration, origin, parents, output, output_dropped, strategy, strategy_note, improvements_applied, finish_reason, interrupted, proposal,
      input_tokens, output_tokens, cost_usd, duration_ms, step, created_at)
    SELECT f.id, v.number, v.iteration, v.origin, v.parents, v.output, v."outputDropped", v.strategy, v."strategyNote", v."improvementsApplied", v."finishReason", v.interrupted, v.proposal,
      v."inputTokens", v."outputTokens", v."costUsd", v."durationMs", v.step, v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, number int, iteration int, origin text, parents int[], output text, "outputDropped" boolean, strategy text, "strategyNote" text, "improvementsApplied" text[],
      "finishReason" text, interrupted boolean, proposal jsonb, "inputTokens" int, "outputTokens" int, "costUsd" float8, "durationMs" int, step int, "createdAt" timestamptz) USING (place)`,
  evaluations: (
    list,
  ) => `INSERT INTO evaluations (run_id, ordinal, version, by, actor, reason, status, overall_score, criteria_scores, reasons, satisfactory, issues,
      suggestions, confidence, feedback, detail, answer, same_model_judge, copied_from, proposed, input_tokens, output_tokens, cost_usd, duration_ms, step, created_at)
    SELECT f.id, f.first_evaluation + v.ordinal, v.version, v.by, v.actor, v.reason, v.status, v."overallScore", v."criteriaScores", v.reasons, v.satisfactory, v.issues,
      v.suggestions, v.confidence, v.feedback, v.detail, v.answer, v."sameModelJudge", v."copiedFrom", v.proposed, v."inputTokens", v."outputTokens", v."costUsd", v."durationMs", v.step, v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, ordinal int, version int, by text, actor text, reason text, status text, "overallScore" float8, "criteriaScores" jsonb,
      reasons jsonb, satisfactory boolean, issues jsonb, suggestions text[], confidence float8, feedback text, detail text, answer text, "sameModelJudge" boolean, "copiedFrom" int, proposed jsonb,
      "inputTokens" int, "outputTokens" int, "costUsd" float8, "durationMs" int, step int, "createdAt" timestamptz) USING (place)`,
  critiques: (
    list,
  ) => `INSERT INTO critiques (run_id, version, step, trigger, text, issues, suggestions, input_tokens, output_tokens, cost_usd, duration_ms, created_at)
    SELECT f.id, v.version, v.step, v.trigger, v.text, v.issues, v.suggestions, v."inputTokens", v."outputTokens", v."costUsd", v."durationMs", v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, version int, step int, trigger text, text text, issues jsonb, suggestions text[], "inputTokens" int, "outputTokens" int,
      "costUsd" float8, "durationMs" int, "createdAt" timestamptz) USING (place)`,
  lessons: (
    list,
  ) => `INSERT INTO lessons (id, run_id, version, step, kind, status, admission, withheld, text, fields, block, agent, task_type, tools, source_input, source_score, created_by, author_id, authors,
      input_tokens, output_tokens, cost_usd, duration_ms, created_at)
    SELECT v.id, f.id, v.version, v.step, v.kind, 'candidate', v.admission, v.withheld, v.text, v.fields, v.block, v.agent, v."taskType", v.tools, v."sourceInput", v."sourceScore", v."createdBy", v."authorId", ${authorsOfRun('f.id', 'v.services')},
      v."inputTokens", v."outputTokens", v."costUsd", v."durationMs", v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, id uuid, version int, step int, kind text, admission text, withheld boolean, text text, fields jsonb, block text, agent text, "taskType" text, tools text[], "sourceInput" text,
      "sourceScore" float8, "createdBy" text, "authorId" text, services jsonb, "inputTokens" int, "outputTokens" int, "costUsd" float8, "durationMs" int, "createdAt" timestamptz) USING (place)`,
  lessonChecks: (list) => `INSERT INTO lesson_checks (lesson_id, number, edit, kind, outcome, result, created_at)
    SELECT v."lessonId", 0, 0, 'model', v.outcome, v.result, v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, "lessonId" uuid, outcome text, result jsonb, "createdAt" timestamptz) USING (place)`,
  tries: (
    list,
  ) => `INSERT INTO case_tries (run_id, version, position, attempt, output, finish_reason, status, score, criteria_scores, satisfactory, issues, suggestions, feedback, detail, paid_before,
      input_tokens, output_tokens, cost_usd, duration_ms, step, created_at)
    SELECT f.id, v.version, v.position, v.attempt, v.output, v."finishReason", v.status, v.score, v."criteriaScores", v.satisfactory, v.issues, v.suggestions, v.feedback, v.detail, v."paidBefore",
      v."inputTokens", v."outputTokens", v."costUsd", v."durationMs", v.step, v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, version int, position int, attempt int, output text, "finishReason" text, status text, score float8, "criteriaScores" jsonb,
      satisfactory boolean, issues jsonb, suggestions text[], feedback text, detail text, "paidBefore" boolean, "inputTokens" int, "outputTokens" int, "costUsd" float8, "durationMs" int, step int, "createdAt" timestamptz) USING (place)`,
  decisions: (
    list,
  ) => `INSERT INTO decisions (run_id, ordinal, hook, version, iteration, decision, by, actor, reason, score, criterion, guidance, tool_call_id, tool_arguments, seen, pause_id, step, at)
    SELECT f.id, f.first_decision + v.ordinal, v.hook, v.version, v.iteration, v.decision, v.by, v.actor, v.reason, v.score, v.criterion, v.guidance, v."toolCallId", v."toolArguments", v.seen, v."pauseId", v.step, v.at
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, ordinal int, hook text, version int, iteration int, decision text, by text, actor text, reason text, score float8,
      criterion text, guidance text, "toolCallId" text, "toolArguments" text, seen jsonb, "pauseId" uuid, step int, at timestamptz) USING (place)`,
  turns: (
    list,
  ) => `INSERT INTO agent_turns (run_id, version, delegation, number, agent, thought, calls, calls_left_out, answer, finish_reason, input_tokens, output_tokens, cost_usd, duration_ms, step, created_at)
    SELECT f.id, v.version, v.delegation, v.number, v.agent, v.thought, v.calls, v."callsLeftOut", v.answer, v."finishReason", v."inputTokens", v."outputTokens", v."costUsd", v."durationMs", v.step, v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, version int, delegation text, number int, agent text, thought text, calls jsonb, "callsLeftOut" int, answer text, "finishReason" text,
      "inputTokens" int, "outputTokens" int, "costUsd" float8, "durationMs" int, step int, "createdAt" timestamptz) USING (place)`,
  observations: (
    list,
  ) => `INSERT INTO agent_observations (run_id, version, call_id, tool, status, text, duration_ms, step, created_at)
    SELECT f.id, v.version, v."callId", v.tool, v.status, v.text, v."durationMs", v.step, v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, version int, "callId" text, tool text, status text, text text, "durationMs" int, step int, "createdAt" timestamptz) USING (place)`,
  drops: (list) => `UPDATE reflection_versions v SET output = '', output_dropped = true
    FROM fenced f JOIN json_to_recordset(${list}::json) AS d(place int, number int) USING (place) WHERE v.run_id = f.id AND v.number = d.number`,
  deliveries: (
    list,
  ) => `INSERT INTO webhook_deliveries (id, webhook, run_id, pause_id, state, next_try_at, request_body, outcome, created_at)
    SELECT v.id, v.webhook, f.id, v."pauseId", v.state, CASE v.state WHEN 'waiting' THEN now() END, v."requestBody", v.outcome, v."createdAt"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, id uuid, webhook text, "pauseId" uuid, state text, "requestBody" text, outcome text, "createdAt" timestamptz) USING (place)`,
  // A lesson that was deleted meanwhile is left out.
  recalls: (list) => `INSERT INTO recalls (run_id, version, rank, lesson_id, score, effect)
    SELECT f.id, v.version, v.rank, l.id, v.score, v.effect
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, version int, rank int, "lessonId" uuid, score float8, effect text) USING (place)
    JOIN lessons l ON l.id = v."lessonId"`,
  effects: (list) => `UPDATE recalls k SET effect = v.effect
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, version int, "lessonId" uuid, effect text) USING (place)
    WHERE k.run_id = f.id AND k.version = v.version AND k.lesson_id = v."lessonId"`,
  // Locked in the order of their ids: many runs use the same lessons at the same moment.
  uses: (
    list,
  ) => `UPDATE lessons l SET helpful = l.helpful + u.helpful, harmful = l.harmful + u.harmful, neutral = l.neutral + u.neutral,
      last_used_at = greatest(l.last_used_at, u.at)
    FROM (SELECT v."lessonId" AS id, (count(*) FILTER (WHERE v.effect = 'helpful'))::int AS helpful, (count(*) FILTER (WHERE v.effect = 'harmful'))::int AS harmful,
        (count(*) FILTER (WHERE v.effect = 'neutral'))::int AS neutral, max(v.at) AS at
      FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, "lessonId" uuid, effect text, at timestamptz) USING (place) GROUP BY v."lessonId") u
    JOIN (SELECT id FROM lessons WHERE id IN (SELECT "lessonId" FROM json_to_recordset(${list}::json) AS w("lessonId" uuid)) ORDER BY id FOR NO KEY UPDATE) locked USING (id)
    WHERE l.id = u.id`,
};

export type Records = ReturnType<typeof recordsOf>;

/** The records of a save as flat objects, one list a table. Ordinals count from 1 within the save; `place` says which of the saves that are
 * kept together it is. */
export function recordsOf(
  {
    results,
    settings,
    input,
    history,
    deliveries,
    effects = [],
    lessonAuthorId = null,
    now,
  }: Pick<Save, 'results' | 'settings' | 'input' | 'history' | 'deliveries' | 'effects' | 'lessonAuthorId' | 'now'>,
  place: number,
) {
  const versions = results.flatMap((result) => (result.type === 'version' ? [result.version] : []));
  const evaluations = results.flatMap((result) => (result.type === 'evaluation' ? [result.evaluation] : []));
  const critiques = results.flatMap((result) => (result.type === 'critique' ? [result.critique] : []));
  const lessons = results.flatMap((result) => (result.type === 'lesson' ? [result.lesson] : []));
  const tries = results.flatMap((result) => (result.type === 'tries' ? result.tries : []));
  const turns = results.flatMap((result) => (result.type === 'turns' ? result.turns : []));
  const observations = results.flatMap((result) => (result.type === 'observations' ? result.observations : []));
  const decisions = results.flatMap((result) =>
    result.type === 'decision'
      ? [result.decision]
      : result.type === 'end' && result.decision !== null
        ? [result.decision]
        : [],
  );
  const dropped = results.flatMap((result) =>
    result.type === 'end' ? droppedVersions(history, settings, result.ending) : [],
  );
  const effectOf = (version: number, lessonId: string) =>
    effects.find((outcome) => outcome.version === version && outcome.lessonId === lessonId)?.effect ?? null;
  const atHand = usedTools(settings.generator.base);
  return {
    versions: versions.map((version) => ({
      ...version,
      ...(dropped.includes(version.number) && { output: '', outputDropped: true }),
      ...flat(version),
      place,
    })),
    drops: dropped.map((number) => ({ number, place })),
    deliveries: deliveries.map((delivery) => ({ ...delivery, place })),
    evaluations: evaluations.map((evaluation, position) => ({
      ...evaluation,
      ...flat(evaluation),
      ordinal: position + 1,
      place,
    })),
    critiques: critiques.map((critique) => ({ ...critique, ...flat(critique), place })),
    lessons: lessons.map((lesson) => ({
      ...lesson,
      ...flat(lesson),
      place,
      admission: settings.lessons.write === 'stage' ? 'staged' : 'waiting',
      withheld: lesson.withheld === true,
      block: settings.lessons.block,
      agent: settings.lessons.agent,
      taskType: settings.taskType,
      // Models may ask for tools by names that are none.
      tools: toolsUsedFor(history, lesson.version).filter((tool) => atHand.includes(tool)),
      sourceInput: input.slice(0, SOURCE_INPUT_LENGTH),
      sourceScore:
        history.evaluations.findLast((evaluation) => evaluation.version === lesson.version)?.overallScore ?? null,
      createdBy: `${(settings.reflectionModel ?? settings.generator).provider}/${(settings.reflectionModel ?? settings.generator).model}`,
      authorId: lessonAuthorId,
      services: namedServices(settings),
    })),
    lessonChecks: lessons.flatMap(({ id, modelCheck, createdAt }) => {
      if (modelCheck === undefined) return [];
      const { outcome, model, reason } = modelCheck;
      return { lessonId: id, outcome, result: { model, reason }, createdAt, place };
    }),
    tries: tries.map((one) => ({ ...one, ...flat(one), place })),
    turns: turns.map((turn) => ({ ...turn, ...flat(turn), delegation: turn.delegation ?? '', place })),
    observations: observations.map((one) => ({ ...one, durationMs: Math.round(one.durationMs), place })),
    decisions: decisions.map((decision, position) => ({ ...decision, ordinal: position + 1, place })),
    recalls: versions.flatMap((version) =>
      version.recalledLessons.map((recall) => ({
        ...recall,
        version: version.number,
        effect: effectOf(version.number, recall.lessonId),
        place,
      })),
    ),
    // The recalls of a version that is saved just now have theirs from the start.
    effects: effects
      .filter(({ version, effect }) => effect !== null && !versions.some(({ number }) => number === version))
      .map((outcome) => ({ ...outcome, place })),
    uses: effects.map(({ lessonId, effect }) => ({ lessonId, effect, at: now, place })),
  };
}

/** How much of the input a lesson keeps to be found by. */
const SOURCE_INPUT_LENGTH = 200;

function flat(spend: Spend) {
  return {
    inputTokens: spend.tokenUsage.input,
    outputTokens: spend.tokenUsage.output,
    costUsd: spend.costUsd,
    durationMs: Math.round(spend.durationMs),
  };
}
