import { type ConnectionTest, testConnection } from '#lib/models/test-connection.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { providerResolver } from './resolve-provider.ts';
import type { Workshop } from './workshop.ts';

/** Tries to reach a provider and says what failed and what to do, or which models it has. */
export async function testProvider(workshop: Workshop, _actor: Actor, name: string): Promise<Result<ConnectionTest>> {
  const configuration = await providerResolver(workshop)(name);
  if (configuration === null) return fail('not_found', `There is no provider named ${JSON.stringify(name)}.`);
  return succeed(await testConnection(configuration));
}
