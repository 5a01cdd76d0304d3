import pg from 'pg';
import { APP_ROLE, SUPERUSER_ROLE, socketAddress } from './socket-address.ts';

type Roles = {
  socketFolder: string;
  /** The superuser's present password. */
  superuser: string;
  /** The one it gets; null: it keeps the present one. */
  nextSuperuser: string | null;
  app: string;
};

/**
 * Makes sure of the app's role, its database, and that it owns all that is in it: also what a version wrote that worked as superuser.
 * Each step may be done again.
 */
export async function prepareRoles({ socketFolder, superuser, nextSuperuser, app }: Roles): Promise<void> {
  const address = (database: string, password: string) =>
    socketAddress(socketFolder, { role: SUPERUSER_ROLE, password, database });
  await connected(address('postgres', superuser), async (client) => {
    if (nextSuperuser !== null)
      await client.query(`ALTER ROLE ${SUPERUSER_ROLE} PASSWORD ${pg.escapeLiteral(nextSuperuser)}`);
    const { rowCount: roles } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APP_ROLE]);
    await client.query(
      `${roles === 0 ? 'CREATE' : 'ALTER'} ROLE ${APP_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
       PASSWORD ${pg.escapeLiteral(app)}`,
    );
    const { rowCount: databases } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'hone'");
    await client.query(databases === 0 ? CREATE_DATABASE : `ALTER DATABASE hone OWNER TO ${APP_ROLE}`);
  });
  await connected(address('hone', nextSuperuser ?? superuser), (client) => client.query(GIVE_ALL));
}

/** The statement that makes Hone's database. */
export const CREATE_DATABASE = `CREATE DATABASE hone OWNER ${APP_ROLE}`;

/** The cluster's first role can't give all away by REASSIGN OWNED, since the system's own objects are its too. */
const GIVE_ALL = `DO $$
DECLARE statement text;
BEGIN
  FOR statement IN
    WITH ours AS (
      SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
    ), superuser AS (SELECT oid FROM pg_roles WHERE rolname = '${SUPERUSER_ROLE}')
    SELECT format('ALTER SCHEMA %I OWNER TO ${APP_ROLE}', s.nspname)
      FROM pg_namespace s JOIN ours USING (oid) WHERE s.nspowner IN (SELECT oid FROM superuser)
    UNION ALL
    SELECT format('ALTER TABLE %s OWNER TO ${APP_ROLE}', c.oid::regclass)
      FROM pg_class c JOIN ours o ON o.oid = c.relnamespace
      WHERE c.relowner IN (SELECT oid FROM superuser) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        -- A column's sequence follows its table.
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
          AND c.relkind = 'S' AND d.refobjsubid > 0 AND d.deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO ${APP_ROLE}', p.oid::regprocedure)
      FROM pg_proc p JOIN ours o ON o.oid = p.pronamespace WHERE p.proowner IN (SELECT oid FROM superuser)
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO ${APP_ROLE}', t.oid::regtype)
      FROM pg_type t JOIN ours o ON o.oid = t.typnamespace
      WHERE t.typowner IN (SELECT oid FROM superuser) AND t.typtype IN ('e', 'd', 'r')
  LOOP
    EXECUTE statement;
  END LOOP;
END $$`;

async function connected(connectionString: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
