import { findPromptVersion } from '#lib/db/find-prompt-version.ts';
import { heldOutPairs } from '#lib/db/held-out-pairs.ts';
import { type AnswerPair, compareAnswers } from '#lib/measures/compare-answers.ts';
import type { LabelProof, ProofSource } from '#lib/reflection/label-proof.ts';
import type { PromptVersionText } from '#lib/reflection/prompt-library.ts';
import type { Workshop } from '../workshop.ts';

/**
 * How a version does on held-out cases against another one, by what was tried so far: a tuning run that tried both texts. Null where
 * there is no such version; nothing is called.
 */
export async function proveLabel(
  workshop: Workshop,
  promptName: string,
  { version, against }: { version: number; against: number },
): Promise<LabelProof | null> {
  const { pool } = workshop.database;
  const [after, before] = await Promise.all([
    findPromptVersion(pool, promptName, { version }),
    findPromptVersion(pool, promptName, { version: against }),
  ]);
  if (after === null || before === null) return null;
  const { pairs, source } = await heldOutTries(workshop, before, after);
  const { n, ...result } = compareAnswers(pairs, `${promptName} ${against} ${version}`);
  if (source === null || result.after.scores === null || result.before.scores === null)
    return { verdict: 'unproven', version, against, why: 'no tuning run tried both on its held-out cases.' };
  const mean = result.after.scores.mean;
  const againstMean = result.before.scores.mean;
  const verdict = mean < againstMean ? 'loses' : 'holds';
  return { verdict, version, against, n, mean, againstMean, isNoise: result.isNoise, source };
}

async function heldOutTries(
  { database }: Workshop,
  before: PromptVersionText,
  after: PromptVersionText,
): Promise<{ pairs: AnswerPair[]; source: ProofSource | null }> {
  for (const runId of new Set([after.run?.id, before.run?.id])) {
    if (runId === null || runId === undefined) continue;
    const pairs = await heldOutPairs(database, { runId, before: before.text, after: after.text });
    if (pairs.length > 0) return { pairs, source: { kind: 'run', runId } };
  }
  return { pairs: [], source: null };
}
