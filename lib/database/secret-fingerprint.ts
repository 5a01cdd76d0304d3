import { createHmac } from 'node:crypto';
import pg from 'pg';
import { z } from 'zod';

const KEY = 'secret_fingerprint';

/** What tells one secret from another without telling anything of it: an HMAC-SHA256 of a constant, in hexadecimal. */
export function fingerprintOfSecret(secret: Buffer): string {
  return createHmac('sha256', secret).update('hone secret fingerprint').digest('hex');
}

/**
 * Says with which secret the database's keys are sealed, if nobody has said so before. `same`: with this one; `other`: with another
 * one, which is left as it stands.
 */
export async function noteSecret(connectionString: string, secret: Buffer): Promise<'same' | 'other'> {
  return withClient(connectionString, async (client) => {
    const own = fingerprintOfSecret(secret);
    await client.query(
      `INSERT INTO installation_settings (key, value, updated_by, updated_at) VALUES ($1, to_jsonb($2::text), 'hone', now())
       ON CONFLICT (key) DO NOTHING`,
      [KEY, own],
    );
    const { rows } = await client.query('SELECT value FROM installation_settings WHERE key = $1', [KEY]);
    return z.array(z.object({ value: z.string() })).parse(rows)[0]?.value === own ? 'same' : 'other';
  });
}

/** Says that from now on keys are sealed with this secret. Only for the one process on its database. */
export async function replaceSecret(connectionString: string, secret: Buffer): Promise<void> {
  await withClient(connectionString, async (client) => {
    await client.query(
      'UPDATE installation_settings SET value = to_jsonb($2::text), updated_at = now() WHERE key = $1',
      [KEY, fingerprintOfSecret(secret)],
    );
  });
}

async function withClient<Value>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ connectionString, application_name: 'hone start' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
