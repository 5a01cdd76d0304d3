import { findLesson } from '#lib/db/find-lesson.ts';
import { findTrials } from '#lib/db/find-trials.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { startTrial } from '#lib/runs/lessons/start-trial.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { notFound, readId } from '../../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/lessons/{id}/trials', role: 'viewer' });
    const id = await readId(params, 'lesson');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    const items = await findTrials(database, id.value);
    if (items.length === 0 && (await findLesson(database, id.value)) === null) return notFound('lesson');
    return succeed({ items });
  });
}

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/lessons/{id}/trials', role: 'editor' });
    const id = await readId(params, 'lesson');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? startTrial(await getWorkshop(), actor, id.value, body.value) : body;
  }, 201);
}
