import { succeed } from '#lib/reflection/problem.ts';
import { getRunningApp } from '#lib/start/running-app.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { openapiDocument } from '../openapi-document.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/openapi.json', role: 'viewer' });
    return succeed(openapiDocument(getRunningApp().version));
  });
}
