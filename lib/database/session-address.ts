/**
 * Settings of every session. They take precedence over those of the role and the database: a timeout for the statements of a role would end
 * migrations and backups, and another time zone would shift times.
 */
const SESSION_SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  'bytea_output=hex',
  'standard_conforming_strings=on',
  'default_transaction_isolation=read\\ committed',
  'statement_timeout=0',
  'lock_timeout=0',
  'idle_session_timeout=0',
  'idle_in_transaction_session_timeout=0',
];

/**
 * Returns the connection string with Hone's session settings and `more` of them. Options in the address would otherwise replace those of
 * the client, so they are joined.
 */
export function sessionAddress(connectionString: string, more: readonly string[] = []): string {
  return addSettings(connectionString, [...SESSION_SETTINGS, ...more]);
}

/** Returns the connection string with settings that its sessions have, in addition to those it contains. */
export function addSettings(connectionString: string, added: readonly string[]): string {
  const [address = '', query = ''] = connectionString.split(/\?(.*)/s, 2);
  const parts = query.split('&').filter((part) => part !== '');
  const given = new URLSearchParams(query).getAll('options').slice(-1);
  const settings = added.map((setting) => `-c ${setting}`);
  const options = encodeURIComponent([...given, ...settings].join(' '));
  return `${address}?${[...parts.filter((part) => !part.startsWith('options=')), `options=${options}`].join('&')}`;
}
