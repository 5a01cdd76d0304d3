import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { planProof } from '#lib/runs/prompts/plan-proof.ts';
import { provePrompt } from '#lib/runs/prompts/prove-prompt.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readName } from '../../../read-name.ts';
import { proofStream } from './proof-stream.ts';

/** Streams what texts of a prompt make of cases; a caller that goes away calls it off. */
export async function POST(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'POST /api/v1/prompts/{name}/proofs', role: 'editor' });
    const name = await readName(params, 'prompt');
    if (!name.ok) return name;
    const body = await readJson(request);
    if (!body.ok) return body;
    const workshop = await getWorkshop();
    const plan = await planProof(workshop, name.value, body.value);
    if (!plan.ok) return plan;
    return proofStream((options) => provePrompt(workshop, plan.value, options), request.signal);
  });
}
