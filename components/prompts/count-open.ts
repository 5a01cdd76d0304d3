import { callsOfEvaluation } from '#lib/core/evaluate-request.ts';
import type { PromptSetup } from '#lib/prompts/prompt-library.ts';
import { cellKey, type ProofCells } from './proof-cells.ts';
import type { AskedCells } from './use-proofs.ts';

/** Of the answers that would be asked for: all, those that are known, and about how many calls the others take. Equal texts count once. */
export function countOpen(
  cells: ProofCells,
  { texts, models, positions }: AskedCells,
  setup: Pick<PromptSetup, 'criteria'>,
): { cells: number; known: number; calls: number } {
  const keys = new Set(
    positions.flatMap((position) => texts.flatMap((text) => models.map((model) => cellKey(text, model, position)))),
  );
  const known = [...keys].filter((key) => cells.get(key)?.state === 'made').length;
  return { cells: keys.size, known, calls: (keys.size - known) * (1 + callsOfEvaluation(setup)) };
}
