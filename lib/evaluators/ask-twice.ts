import type { Spend } from '#lib/core/history.ts';
import type { ModelFailure, ModelOutcome } from '#lib/core/model-request.ts';
import { sumSpend } from '#lib/core/spend.ts';
import { spendOfCall } from '#lib/core/spend-of-call.ts';

/** What was read out of a reply, and what of it could not be used, in words for the model. */
export type Reading = { wrong: string[] };

export type AskedTwice<Read extends Reading> =
  | { ok: true; readings: Read[]; spend: Spend }
  | { ok: false; failure: ModelFailure; spend: Spend };

/**
 * Asks a judge, and once more where its reply leaves something to be wished for, saying what. Answers the readings in their
 * order: what the first one holds stands, the second fills its gaps.
 */
export async function askTwice<Read extends Reading>(
  ask: (wrong: string[] | null) => Promise<ModelOutcome>,
  read: (text: string, isCutOff: boolean) => Read,
): Promise<AskedTwice<Read>> {
  const readings: Read[] = [];
  const spends: Spend[] = [];
  let wrong: string[] | null = null;
  for (let turn = 0; turn < 2; turn++) {
    const outcome = await ask(wrong);
    spends.push(spendOfCall(outcome));
    if (!outcome.ok) return { ok: false, failure: outcome.failure, spend: sumSpend(spends) };
    const isCutOff = outcome.reply.finishReason === 'length';
    const reading = read(outcome.reply.text, isCutOff);
    readings.push(reading);
    if (reading.wrong.length === 0) break;
    wrong = isCutOff ? [...reading.wrong, 'it was cut off at its length limit: be brief'] : reading.wrong;
  }
  return { ok: true, readings, spend: sumSpend(spends) };
}
