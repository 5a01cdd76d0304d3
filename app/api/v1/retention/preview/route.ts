import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { previewRetention } from '#lib/runs/retention/preview-retention.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson } from '../../read-body.ts';

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'POST /api/v1/retention/preview', role: 'owner' });
    const body = await readJson(request);
    return body.ok ? previewRetention(await getWorkshop(), body.value) : body;
  });
}
