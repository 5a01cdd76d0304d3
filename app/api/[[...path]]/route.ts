import { fail } from '#lib/reflection/problem.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../v1/answer.ts';

/** Addresses below /api that lead nowhere answer like all others: as JSON. */
const NOWHERE = fail('not_found', 'There is no such route. GET /api/v1/openapi.json names them all.');

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/{rest}', role: 'viewer' });
    return NOWHERE;
  });
}

export async function POST(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'POST /api/{rest}', role: 'editor' });
    return NOWHERE;
  });
}

export async function PUT(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'PUT /api/{rest}', role: 'editor' });
    return NOWHERE;
  });
}

export async function PATCH(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'PATCH /api/{rest}', role: 'editor' });
    return NOWHERE;
  });
}

export async function DELETE(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'DELETE /api/{rest}', role: 'editor' });
    return NOWHERE;
  });
}
