import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { testProvider } from '#lib/runs/test-provider.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { providerTestQuery } from '../../../queries.ts';
import { refuseBody } from '../../../read-body.ts';
import { readName } from '../../../read-name.ts';
import { readQuery } from '../../../read-query.ts';

/** Asks the provider for its models, or one of them for something small. An unreachable one is an answer (`ok: false` with a remedy), not an error. */
export async function POST(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/providers/{name}/test', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'provider');
    if (!name.ok) return name;
    const query = readQuery(request, providerTestQuery);
    return query.ok ? testProvider(await getWorkshop(), actor, name.value, query.value) : query;
  });
}
