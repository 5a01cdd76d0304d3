import { findStopAll, stateOf } from '#lib/db/stop-all.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { stopAllRuns } from '#lib/runs/stop-all/stop-all-runs.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson } from '../../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/stop-all', role: 'viewer' });
    const asked = await findStopAll((await getWorkshop()).database);
    return succeed({ last: asked === null ? null : stateOf(asked) });
  });
}

/** Answers at once: workers stop the runs one by one. */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/runs/stop-all', role: 'editor' });
    const body = await readJson(request);
    return body.ok ? stopAllRuns(await getWorkshop(), actor, body.value) : body;
  }, 202);
}
