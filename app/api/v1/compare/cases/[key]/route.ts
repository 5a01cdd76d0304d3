import { fail } from '#lib/reflection/problem.ts';
import { lookIntoCase } from '#lib/runs/compare/look-into-case.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { comparedCaseQuery } from '../../../queries.ts';
import { readQuery } from '../../../read-query.ts';

const CASE_KEY = /^[0-9a-f]{32}$/;

export async function GET(request: Request, { params }: { params: Promise<{ key: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/compare/cases/{key}', role: 'viewer' });
    const query = readQuery(request, comparedCaseQuery);
    if (!query.ok) return query;
    const { key } = await params;
    if (!CASE_KEY.test(key))
      return fail('not_found', 'There is no case with this key: it is the caseKey of a comparison.');
    const { experimentIds, baseline } = query.value;
    return lookIntoCase(await getWorkshop(), { arms: experimentIds, baseline: baseline ?? null, caseKey: key });
  });
}
