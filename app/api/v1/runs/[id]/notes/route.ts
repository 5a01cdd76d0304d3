import { succeed } from '#lib/reflection/problem.ts';
import { addNote } from '#lib/runs/notes/add-note.ts';
import { findNotes } from '#lib/runs/notes/find-notes.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { notesQuery } from '../../../queries.ts';
import { readJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/runs/{id}/notes', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const query = readQuery(request, notesQuery);
    if (!query.ok) return query;
    const { cursor = null, limit } = query.value;
    return succeed(await findNotes(await getWorkshop(), actor, { kind: 'run', id: id.value }, { cursor, limit }));
  });
}

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/runs/{id}/notes', role: 'reviewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? addNote(await getWorkshop(), actor, { kind: 'run', id: id.value }, body.value) : body;
  }, 201);
}
