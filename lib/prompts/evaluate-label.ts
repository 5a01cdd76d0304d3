import type { AppContext } from '#lib/context/app-context.ts';
import { type AnswerPair, compareAnswers } from './compare-answers.ts';
import { evaluationKeysOf, findEvaluationScores } from './evaluation-scores.ts';
import { findPromptCases } from './plan-evaluation.ts';
import { hasSameOptions } from './prompt.ts';
import { findPromptSetup, findPromptVersion, heldOutPairs } from './queries.ts';
import type { EvaluationSource, LabelEvaluation, PromptVersionText } from './schema.ts';

type Compared = { name: string; before: PromptVersionText; after: PromptVersionText };
type HeldOutResults = { pairs: AnswerPair[]; source: EvaluationSource };

/**
 * Compares a version with another one on held-out cases, from existing results: playground evaluations with the current setup, or a tuning
 * run that scored both texts. Uses the source with the most common cases. Returns null if a version does not exist. Calls no model.
 */
export async function evaluateLabel(
  context: AppContext,
  name: string,
  { version, against }: { version: number; against: number },
): Promise<LabelEvaluation | null> {
  const { prisma } = context.database;
  const [after, before] = await Promise.all([
    findPromptVersion(prisma, name, { version }),
    findPromptVersion(prisma, name, { version: against }),
  ]);
  if (after === null || before === null) return null;
  const compared = { name, before, after };
  const found = [...(await byRuns(context, compared)), await byEvaluations(context, compared)].flatMap(
    (results) => results ?? [],
  );
  const [most] = found.toSorted((one, other) => other.pairs.length - one.pairs.length);
  const { n, ...result } = compareAnswers(most?.pairs ?? [], `${name} ${against} ${version}`);
  if (most === undefined || result.after.scores === null || result.before.scores === null)
    return {
      verdict: 'unproven',
      version,
      against,
      why: 'the two versions were not evaluated on the same held-out cases.',
    };
  const mean = result.after.scores.mean;
  const againstMean = result.before.scores.mean;
  const verdict = mean < againstMean ? 'loses' : 'holds';
  return { verdict, version, against, n, mean, againstMean, isNoise: result.isNoise, source: most.source };
}

/** A run uses the same tools and response schema for all its texts. */
async function byRuns({ database }: AppContext, { before, after }: Compared): Promise<HeldOutResults[]> {
  if (!hasSameOptions(before, after)) return [];
  const runIds = [after.run?.id, before.run?.id].flatMap((runId) => runId ?? []);
  const found: HeldOutResults[] = [];
  for (const runId of new Set(runIds)) {
    const pairs = await heldOutPairs(database, { runId, before: before.text, after: after.text });
    found.push({ pairs, source: { kind: 'run', runId } });
  }
  return found;
}

async function byEvaluations(
  { database }: AppContext,
  { name, before, after }: Compared,
): Promise<HeldOutResults | null> {
  const setup = await findPromptSetup(database, name);
  const model = setup?.models[0];
  if (setup === null || model === undefined || setup.datasetId === null) return null;
  const cases = (await findPromptCases(database, setup.datasetId))?.cases.filter(({ split }) => split === 'held_out');
  const keysOf = {
    before: evaluationKeysOf(before, model, setup),
    after: evaluationKeysOf(after, model, setup),
  };
  const keyed = (cases ?? []).map((task) => ({
    case: String(task.position),
    before: keysOf.before(task),
    after: keysOf.after(task),
  }));
  const found = await findEvaluationScores(database, [
    { promptName: name, keys: keyed.flatMap((keys) => [keys.before, keys.after]) },
  ]);
  const scores = found.get(name);
  const pairs = keyed.flatMap((keys): AnswerPair[] => {
    const pair = { case: keys.case, before: scores?.get(keys.before) ?? null, after: scores?.get(keys.after) ?? null };
    return pair.before?.score == null || pair.after?.score == null ? [] : [pair];
  });
  return { pairs, source: { kind: 'playground' } };
}
