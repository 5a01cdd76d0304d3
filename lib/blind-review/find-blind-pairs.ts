import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { type BlindCandidate, type BlindPair, blindPairs, type ShownPairs } from './blind-pairs.ts';
import { pairSeed, sealPair } from './pair-token.ts';
import { judgedPairs } from './preferences.ts';

/** Pairs are taken from so many runs of an experiment: the newest that have two versions or more. */
const MOST_BLIND_RUNS = 200;

/** One JSON list in one piece: thousands of rows cost far more. */
const CANDIDATES = `
  SELECT (
    SELECT coalesce(json_agg(json_build_object('runId', v.run_id, 'version', v.number, 'score', s.overall_score,
      'text', CASE WHEN v.output_dropped OR v.output !~ '\\S' THEN NULL ELSE md5(v.output) END)), '[]')
    FROM (SELECT id FROM runs WHERE experiment_id = x.id AND version_count > 1
        AND NOT EXISTS (SELECT 1 FROM run_cases c WHERE c.run_id = runs.id) ORDER BY number DESC LIMIT $2) newest
    JOIN reflection_versions v ON v.run_id = newest.id
    LEFT JOIN LATERAL (SELECT e.overall_score FROM evaluations e
      WHERE e.run_id = v.run_id AND e.version = v.number AND e.by = 'machine' AND e.status = 'scored'
      ORDER BY e.ordinal DESC LIMIT 1) s ON true
  ) AS candidates
  FROM experiments x WHERE x.id = $1`;

const candidatesRow = z.object({
  candidates: z.array(
    z.object({ runId: z.string(), version: z.int(), score: z.number().nullable(), text: z.string().nullable() }),
  ),
});

/** The versions of an experiment that may be shown blind (a tuned prompt answers no task by itself), each with the machine's score; null where there is no such experiment. */
async function blindCandidates(database: Database, experimentId: string): Promise<BlindCandidate[] | null> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'blind-candidates',
    text: CANDIDATES,
    values: [experimentId, MOST_BLIND_RUNS],
  });
  return rows[0] === undefined ? null : candidatesRow.parse(rows[0]).candidates;
}

const TEXTS = `
  SELECT p.place, r.input AS task, l.output AS "left", g.output AS "right"
  FROM json_to_recordset($1::json) AS p(place int, "runId" uuid, "left" int, "right" int)
  JOIN runs r ON r.id = p."runId"
  JOIN reflection_versions l ON l.run_id = r.id AND l.number = p."left" AND NOT l.output_dropped
  JOIN reflection_versions g ON g.run_id = r.id AND g.number = p."right" AND NOT g.output_dropped
  ORDER BY p.place`;

const textRows = z.array(z.object({ place: z.int(), task: z.string(), left: z.string(), right: z.string() }));

/** What is to be read of pairs, `place` being that of the pair in the list; those whose texts went meanwhile are left out. */
async function blindTexts(database: Database, pairs: readonly BlindPair[]): Promise<z.infer<typeof textRows>> {
  const placed = pairs.map(({ runId, first, second, left }, place) => ({
    place,
    runId,
    left,
    right: left === first ? second : first,
  }));
  const { rows } = await database.pool.query<Record<string, unknown>>(TEXTS, [JSON.stringify(placed)]);
  return textRows.parse(rows);
}

/**
 * The next pairs of an experiment for a person, who gets each once, with how many they have judged and how many remain. The
 * same until they are judged. Answers nothing that tells which version is which.
 */
export async function findBlindPairs(
  context: AppContext,
  actor: Actor,
  experimentId: string,
  limit: number,
): Promise<Result<ShownPairs>> {
  const shownTo = { experimentId, actorId: personOf(actor) };
  const candidates = await blindCandidates(context.database, experimentId);
  if (candidates === null) return fail('not_found', `There is no experiment ${experimentId}.`);
  const judged = await judgedPairs(context.database, experimentId, personOf(actor));
  const names = new Set(judged.map(nameOf));
  const open = blindPairs(candidates, pairSeed(context, shownTo)).filter((pair) => !names.has(nameOf(pair)));
  const next = open.slice(0, limit);
  const texts = await blindTexts(context.database, next);
  const items = texts.flatMap(({ place, task, left, right }) => {
    const pair = next[place];
    return pair === undefined ? [] : [{ pair: sealPair(context, shownTo, pair), task, left, right }];
  });
  return succeed({ items, judged: judged.length, remaining: open.length });
}

function nameOf({ runId, first, second }: { runId: string; first: number; second: number }): string {
  return `${runId} ${first} ${second}`;
}
