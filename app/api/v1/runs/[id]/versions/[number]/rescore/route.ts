import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { rescoreVersion } from '#lib/runs/rescore-version.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../../answer.ts';
import { readJson } from '../../../../../read-body.ts';
import { notFound, readId } from '../../../../../read-id.ts';

type Context = { params: Promise<{ id: string; number: string }> };

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/runs/{id}/versions/{number}/rescore', role: 'editor' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const { number } = await params;
    if (!/^\d{1,6}$/.test(number)) return notFound('version');
    const body = await readJson(request);
    return body.ok ? rescoreVersion(await getWorkshop(), actor, id.value, Number(number), body.value) : body;
  }, 202);
}
