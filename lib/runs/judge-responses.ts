import { z } from 'zod';
import { evaluationSchema } from '#lib/core/history.ts';
import { parseJson } from '#lib/core/json-values.ts';

/** The parts of an evaluation that its judge's response consists of. */
export const judgedSchema = evaluationSchema.pick({
  criteriaScores: true,
  reasons: true,
  issues: true,
  suggestions: true,
  confidence: true,
});
export type Judged = z.infer<typeof judgedSchema>;

const responseSchema = z.object({
  criteria: z.array(z.object({ name: z.string(), suggestions: z.array(z.unknown()) })),
});
/**
 * Indentation of a response, and the name and number of suggestions of each criterion in its order. An evaluation with only one criterion
 * needs none.
 */
const layoutSchema = z.tuple([z.int()], z.tuple([z.string(), z.int()]));
type Layout = z.infer<typeof layoutSchema>;

/**
 * Returns the layout of a judge's response as JSON, which with its evaluation restores the response. It is empty for one criterion without
 * indentation. Null if the response cannot be restored exactly.
 */
export function layoutOfResponse(text: string, judged: Judged): string | null {
  // The database does not store all characters that JSON writes in this form.
  if (text.includes('\\u')) return null;
  const response = responseSchema.safeParse(parseJson(text));
  if (!response.success) return null;
  const criteria = response.data.criteria.map(({ name, suggestions }): [string, number] => [name, suggestions.length]);
  const indent = /^\{\n( +)/.exec(text)?.[1]?.length ?? 0;
  const isOnly = criteria.length === 1 && Object.keys(judged.criteriaScores).length === 1;
  const layout: Layout = isOnly ? [indent] : [indent, ...criteria];
  if (compose(judged, layout) !== text) return null;
  return isOnly && indent === 0 ? '' : JSON.stringify(layout);
}

/** Restores a judge's response from its evaluation and the layout that `layoutOfResponse` returned. */
export function responseOf(judged: Judged, layout: string): string {
  return compose(judged, layout === '' ? [0] : layoutSchema.parse(JSON.parse(layout)));
}

function compose({ criteriaScores, reasons, issues, suggestions, confidence }: Judged, [indent, ...criteria]: Layout) {
  const all = Object.keys(criteriaScores).map((name): [string, number] => [name, suggestions.length]);
  const left = [...suggestions];
  const entries = (criteria.length === 0 ? all : criteria).map(([name, count]) => ({
    ...{ name, score: criteriaScores[name], reason: reasons[name] },
    issues: issues.filter(({ criterion }) => criterion === name).map(({ text }) => text),
    suggestions: left.splice(0, count),
  }));
  return JSON.stringify({ criteria: entries, confidence }, null, indent);
}
