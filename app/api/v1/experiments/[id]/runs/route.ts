import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { startBatch } from '#lib/runs/start-batch.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

/** The same Idempotency-Key with the same body answers the batch that the first call started. */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/experiments/{id}/runs', role: 'editor' });
    const id = await readId(params, 'experiment');
    if (!id.ok) return id;
    const idempotencyKey = readIdempotencyKey(request);
    if (!idempotencyKey.ok) return idempotencyKey;
    const body = await readJson(request);
    if (!body.ok) return body;
    return startBatch(await getWorkshop(), actor, id.value, body.value, {
      idempotencyKey: idempotencyKey.value,
      watched: false,
    });
  }, 201);
}

function readIdempotencyKey(request: Request): Result<string | null> {
  const key = request.headers.get('idempotency-key');
  if (key === null || /^[\x20-\x7e]{1,200}$/.test(key)) return succeed(key);
  return fail('invalid', 'Idempotency-Key must be 1 to 200 plain characters.', 'Idempotency-Key');
}
