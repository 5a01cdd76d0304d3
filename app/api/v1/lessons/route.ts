import { listLessons } from '#lib/db/list-lessons.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { addLesson } from '#lib/runs/lessons/add-lesson.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import { answer } from '../answer.ts';
import { lessonsQuery } from '../queries.ts';
import { readJson } from '../read-body.ts';
import { readQuery } from '../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/lessons', role: 'viewer' });
    const query = readQuery(request, lessonsQuery);
    if (!query.ok) return query;
    const { cursor, limit, query: words, kind, status, year, scope, only } = query.value;
    const filter = {
      query: words,
      kind: kind ?? null,
      status: status ?? null,
      year: year ?? null,
      scope: scope ?? null,
      only: only ?? null,
      personId: personOf(actor),
    };
    const { database } = await getWorkshop();
    return succeed(await listLessons(database, { ...filter, order: 'newest' }, { cursor: cursor ?? null, limit }));
  });
}

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/lessons', role: 'editor' });
    const body = await readJson(request);
    return body.ok ? addLesson(await getWorkshop(), actor, body.value) : body;
  }, 201);
}
