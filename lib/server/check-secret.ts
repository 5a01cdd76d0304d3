import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { noteSecret, replaceSecret } from '#lib/database/secret-fingerprint.ts';

type Options = { connectionString: string; secret: Buffer; isShared: boolean; say(line: string): void };

/**
 * All processes on a database must have one secret: another one could not read the sealed keys, and what it sealed the others could
 * not. A database of Hone's own goes by the new secret, since nobody else has the old one.
 */
export async function checkSecret({ connectionString, secret, isShared, say }: Options): Promise<Result<null>> {
  if ((await noteSecret(connectionString, secret)) === 'same') return succeed(null);
  if (isShared)
    return fail(
      'conflict',
      "This process has another HONE_SECRET than the database was used with, so it could not read the keys of providers, webhooks and MCP servers. Start every process with the same HONE_SECRET (without one, with the same secret.key in its data folder). If the old one is lost for good: stop all processes, run DELETE FROM installation_settings WHERE key = 'secret_fingerprint' on the database, start Hone and enter those keys again.",
      'HONE_SECRET',
    );
  await replaceSecret(connectionString, secret);
  say('the secret is another one than before: enter the keys of providers, webhooks and MCP servers again');
  return succeed(null);
}
