import { findRun } from '#lib/db/find-run.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { withShortTexts } from '#lib/reflection/with-short-texts.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { runQuery } from '../../queries.ts';
import { refuseBody } from '../../read-body.ts';
import { notFound, readId } from '../../read-id.ts';
import { readQuery } from '../../read-query.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const query = readQuery(request, runQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    const run = await findRun(database, id.value);
    if (run === null) return notFound('run');
    const record = query.value.texts === 'short' ? withShortTexts(run.record) : run.record;
    return succeed({ ...record, tuning: run.tuning });
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/runs/{id}', role: 'editor' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'run');
    return id.ok ? deleteRun(await getWorkshop(), actor, id.value) : id;
  });
}
