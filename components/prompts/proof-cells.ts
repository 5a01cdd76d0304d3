import type { ModelReference } from '#lib/core/settings.ts';
import type { PromptEvaluation, ProofEvent } from '#lib/prompts/evaluation-schema.ts';

/** How one answer stands: asked for, being written, made (`known`: kept before), or failed. */
export type CellState =
  | { state: 'waiting' }
  | { state: 'writing'; text: string }
  | { state: 'made'; proof: PromptEvaluation; known: boolean }
  | { state: 'failed'; message: string; remedy: string };

/** Answers by what they are answers to. */
export type ProofCells = ReadonlyMap<string, CellState>;

/** What an answer is kept under on the page: the text that was tried, the model and the case. */
export function cellKey(text: string, { provider, model }: ModelReference, position: number): string {
  return JSON.stringify([provider, model, position, text]);
}

/** What was asked for, in the order that the events name it by. */
export type AskedProof = { texts: readonly string[]; models: readonly ModelReference[] };

/** The cells after an event. Text is added to what is written; what is there of other texts stays. */
export function withProofEvent(cells: ProofCells, event: ProofEvent, asked: AskedProof): ProofCells {
  if (event.type === 'begin' || event.type === 'end') return cells;
  const text = asked.texts[event.text];
  const model = asked.models[event.model];
  if (text === undefined || model === undefined) return cells;
  const key = cellKey(text, model, event.position);
  return new Map(cells).set(key, stateAfter(cells.get(key), event));
}

function stateAfter(
  before: CellState | undefined,
  event: Extract<ProofEvent, { type: 'text' | 'proof' | 'failed' }>,
): CellState {
  switch (event.type) {
    case 'text':
      return { state: 'writing', text: (before?.state === 'writing' ? before.text : '') + event.piece };
    case 'proof':
      return { state: 'made', proof: event.proof, known: event.known };
    case 'failed':
      return { state: 'failed', message: event.message, remedy: event.remedy };
  }
}

/** Without what was asked for and not answered: nobody works on it any more. */
export function withoutPending(cells: ProofCells): ProofCells {
  return new Map([...cells].filter(([, { state }]) => state === 'made' || state === 'failed'));
}
