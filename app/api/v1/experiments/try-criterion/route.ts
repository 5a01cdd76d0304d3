import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { tryCriterion } from '#lib/runs/try-criterion.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson } from '../../read-body.ts';

/** Longest wait for the evaluator, in milliseconds. */
const LIMIT_MS = 180_000;

/** A caller that goes away calls the evaluator off. */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/experiments/try-criterion', role: 'editor' });
    const body = await readJson(request);
    if (!body.ok) return body;
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(LIMIT_MS)]);
    return tryCriterion(await getWorkshop(), actor, body.value, signal);
  });
}
