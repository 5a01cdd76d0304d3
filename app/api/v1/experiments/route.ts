import { listExperiments } from '#lib/db/list-experiments.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { createExperiment } from '#lib/runs/create-experiment.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { experimentsQuery } from '../queries.ts';
import { readJson } from '../read-body.ts';
import { readQuery } from '../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/experiments', role: 'viewer' });
    const query = readQuery(request, experimentsQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    return succeed(await listExperiments(database, { ...query.value, cursor: query.value.cursor ?? null }));
  });
}

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/experiments', role: 'editor' });
    const body = await readJson(request);
    return body.ok ? createExperiment(await getWorkshop(), actor, body.value) : body;
  }, 201);
}
