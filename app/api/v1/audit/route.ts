import { listAudit } from '#lib/db/list-audit.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { readQuery } from '../read-query.ts';
import { auditFilterOf, auditQuery } from './audit-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/audit', role: 'owner' });
    const query = readQuery(request, auditQuery);
    if (!query.ok) return query;
    const { cursor = null, limit, ...filter } = query.value;
    const { database } = await getWorkshop();
    return succeed(await listAudit(database, auditFilterOf(filter), { cursor, limit }));
  });
}
