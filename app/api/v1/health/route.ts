import { answersInTime } from '#lib/db/answers-in-time.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { getWorkerState } from '#lib/runs/worker-state.ts';
import { getRunningApp } from '#lib/start/running-app.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { logBug } from '../log-bug.ts';

const DATABASE_LIMIT_MS = 2_000;

/** 200 when all parts work, 503 with the reasons when one does not. */
export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/health', role: 'viewer' });
    const database = await isDatabaseThere();
    const worker = getWorkerState();
    const reasons = [
      ...(database ? [] : ['The database does not answer.']),
      ...(worker === 'working' ? [] : [`The worker that performs runs is ${worker}.`]),
    ];
    const health = {
      status: reasons.length === 0 ? 'ok' : 'unavailable',
      database: database ? 'ok' : 'unavailable',
      worker,
      version: getRunningApp().version,
      reasons,
    };
    return Response.json(health, { status: reasons.length === 0 ? 200 : 503 });
  });
}

async function isDatabaseThere(): Promise<boolean> {
  try {
    const { database } = await getWorkshop();
    return await answersInTime(database, DATABASE_LIMIT_MS);
  } catch (error) {
    logBug(error);
    return false;
  }
}
