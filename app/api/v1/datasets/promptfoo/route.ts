import { importPromptfoo } from '#lib/runs/datasets/import-promptfoo.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson } from '../../read-body.ts';

/** A promptfoo configuration as a dataset and, where wanted, an experiment; a dry run says what would be taken. */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/datasets/promptfoo', role: 'editor' });
    const body = await readJson(request);
    return body.ok ? importPromptfoo(await getWorkshop(), actor, body.value) : body;
  });
}
