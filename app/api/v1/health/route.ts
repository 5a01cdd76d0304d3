import { findHealth } from '#lib/runs/health/find-health.ts';
import { getRunningApp } from '#lib/start/running-app.ts';
import { AuthorizationError } from '#lib/team/authorization-error.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';

/** 200 when all that is needed works, 503 with the reasons when something does not. Who has not signed in hears no more than which. */
export async function GET(): Promise<Response> {
  return answer(async () => {
    try {
      await authorize({ name: 'GET /api/v1/health', role: 'viewer' });
    } catch (error) {
      if (!(error instanceof AuthorizationError && error.status === 401)) throw error;
      return forStrangers();
    }
    const { environment, version } = getRunningApp();
    const { status, reasons, warnings, databaseAnswers, worker } = await findHealth(environment.dataFolder);
    const database = databaseAnswers ? 'ok' : 'unavailable';
    return Response.json({ status, database, worker, version, reasons, warnings }, { status: statusCode(status) });
  });
}

async function forStrangers(): Promise<Response> {
  const { status } = await findHealth(getRunningApp().environment.dataFolder);
  return Response.json({ status: status === 'unavailable' ? status : 'ok' }, { status: statusCode(status) });
}

function statusCode(status: string): number {
  return status === 'unavailable' ? 503 : 200;
}
