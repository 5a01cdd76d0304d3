import { z } from 'zod';
import { fail, failAll, type Result, succeed } from '#lib/core/problem.ts';
import { promptTextSchema } from '#lib/core/setting-parts.ts';
import { holdsComponentLine } from '#lib/core/targets/component-texts.ts';
import { formatList } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { NO_COMPONENT_LINE, type TunedFile, textOfProgram } from './tuned-file.ts';

const MOST_CANDIDATES = 1_000;
const MOST_TEXTS = 50;

/** Null is a missing score. Python writes those as `NaN`, which is not valid JSON. */
const scoreSchema = z.number().nullable();

const candidateSchema = z
  .record(z.string().max(200, { error: 'must have names of at most 200 characters' }), promptTextSchema)
  .refine((texts) => Object.keys(texts).length > 0, { error: 'must hold at least one text' })
  .refine((texts) => Object.keys(texts).length <= MOST_TEXTS, { error: `must hold at most ${MOST_TEXTS} texts` })
  .superRefine((texts, context) => {
    if (Object.keys(texts).length < 2) return;
    for (const [name, text] of Object.entries(texts))
      if (holdsComponentLine(text)) context.addIssue({ code: 'custom', path: [name], message: NO_COMPONENT_LINE });
  });

/** `GEPAResult.to_dict()` of gepa 0.0 and 0.1, where some fields are lists before 0.0.20. Other fields are not validated. */
const gepaSchema = z.looseObject({
  candidates: z
    .array(candidateSchema)
    .min(1, { error: 'must hold at least one candidate' })
    .max(MOST_CANDIDATES, { error: `must hold at most ${MOST_CANDIDATES} candidates` }),
  parents: z.array(z.array(z.int().min(0).nullable()).max(100)),
  val_aggregate_scores: z.array(scoreSchema),
  val_subscores: z.array(z.union([z.array(scoreSchema), z.record(z.string(), scoreSchema)])).optional(),
  validation_schema_version: z
    .int()
    .max(2, { error: 'must be at most 2. Write the result with gepa 0.1, or update Hone' })
    .nullish(),
});
type GepaResult = z.infer<typeof gepaSchema>;

/** Reads a result of GEPA: one version per candidate, the one with the highest score last. */
export function readGepaResult(value: object): Result<TunedFile> {
  const parsed = parseInput(gepaSchema, value, ['file']);
  if (!parsed.ok) return parsed;
  const result = parsed.value;
  const wrong = failAll(lineageProblems(result));
  if (wrong !== null) return wrong;
  const best = bestOf(result.val_aggregate_scores);
  const order = [...result.candidates.keys()].filter((at) => at !== best);
  // Requests without a label get the newest version.
  if (best !== null) order.push(best);
  const place = new Map(order.map((at, number) => [at, number]));
  const versions = order.map((at) => ({
    name: `candidates.${at}`,
    text: textOfProgram(result.candidates[at] ?? {}),
    message: messageOf(result, at, at === best),
    parent: place.get(parentsOf(result, at)[0] ?? -1) ?? null,
  }));
  return succeed({ format: 'gepa', versions, notTaken: [] });
}

function lineageProblems({ candidates, parents, val_aggregate_scores: scores, val_subscores: subscores }: GepaResult) {
  const refuse = (field: string, must: string) => fail('invalid', `file.${field} ${must}.`, `file.${field}`).problem;
  const count = candidates.length;
  const lists = { parents, val_aggregate_scores: scores, val_subscores: subscores ?? scores };
  return [
    ...Object.entries(lists).flatMap(([name, list]) =>
      list.length === count
        ? []
        : refuse(name, `must have ${count} entries, one for each candidate, got ${list.length}`),
    ),
    ...parents
      .slice(0, count)
      .flatMap((row, at) =>
        row.flatMap((parent, column) =>
          parent === null || parent < at
            ? []
            : refuse(`parents.${at}.${column}`, `must be the number of an earlier candidate, got ${parent}`),
        ),
      ),
  ];
}

function bestOf(scores: readonly (number | null)[]): number | null {
  return scores.reduce<number | null>(
    (best, score, at) => (score !== null && (best === null || score > (scores[best] ?? 0)) ? at : best),
    null,
  );
}

function parentsOf({ parents }: GepaResult, at: number): number[] {
  return (parents[at] ?? []).flatMap((parent) => parent ?? []);
}

function messageOf(result: GepaResult, at: number, isBest: boolean): string {
  const score = result.val_aggregate_scores[at] ?? null;
  const cases = Object.keys(result.val_subscores?.[at] ?? {}).length;
  const parents = parentsOf(result, at);
  const scored = score === null ? 'no score' : `score ${Number(score.toFixed(4))}`;
  const on = score === null || cases === 0 ? '' : ` on ${cases} validation cases`;
  const merged = parents.length > 1 ? `, merged from candidates ${formatList(parents.slice(0, 5).map(String))}` : '';
  return `GEPA candidate ${at}: ${scored}${on}${merged}${isBest ? ', the best' : ''}`;
}
