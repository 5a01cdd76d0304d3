import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { testProvider } from '#lib/runs/test-provider.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readName } from '../../../read-name.ts';

/** Asks the provider for something small. An unreachable one is an answer (`ok: false` with a remedy), not an error. */
export async function POST(_request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/providers/{name}/test', role: 'owner' });
    const name = await readName(params, 'provider');
    if (!name.ok) return name;
    return testProvider(await getWorkshop(), actor, name.value);
  });
}
