import { createHmac } from 'node:crypto';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { withDatabase } from '#lib/database/database.ts';

const KEY = 'secret_fingerprint';

/** What tells one secret from another without telling anything of it: an HMAC-SHA256 of a constant, in hexadecimal. */
function fingerprintOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('hone secret fingerprint').digest('hex');
}

type Options = { connectionString: string; secret: Buffer; isShared: boolean; say(line: string): void };

/**
 * All processes on a database must have one secret: another one could not read the sealed keys, and what it sealed the others could
 * not. The first one notes its own. A database of Hone's own goes by the new secret, since nobody else has the old one.
 */
export function checkSecret({ connectionString, secret, isShared, say }: Options): Promise<Result<null>> {
  return withDatabase(connectionString, async ({ prisma }) => {
    const own = { key: KEY, value: fingerprintOf(secret), updatedBy: 'hone', updatedAt: new Date() };
    await prisma.installationSetting.createMany({ data: own, skipDuplicates: true });
    const noted = await prisma.installationSetting.findUniqueOrThrow({ where: { key: KEY } });
    if (noted.value === own.value) return succeed(null);
    if (isShared)
      return fail(
        'conflict',
        "This database was used with another HONE_SECRET, so this process can't read the keys of providers, webhooks and MCP servers. Start every process with the same HONE_SECRET. Without HONE_SECRET, every process needs the same secret.key in its data directory. If the old secret is lost, stop all processes and run DELETE FROM installation_settings WHERE key = 'secret_fingerprint' on the database. Then start Hone and enter the keys again.",
        'HONE_SECRET',
      );
    await prisma.installationSetting.update({ where: { key: KEY }, data: own });
    say('the secret is another one than before: enter the keys of providers, webhooks and MCP servers again');
    return succeed(null);
  });
}
