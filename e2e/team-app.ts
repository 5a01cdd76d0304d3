import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { TOKEN_SCOPES } from '#lib/auth/actor.ts';
import { hashToken, makeToken } from '#lib/auth/api-tokens.ts';
import { inviteMember } from '#lib/auth/create-member-links.ts';
import { ROLES, type Role } from '#lib/auth/role.ts';
import { PrismaClient } from '#lib/database/generated/client.ts';
import { freePort } from './free-port.ts';
import { startPreparedPostgres } from './prepared-postgres.ts';
import { type StartedApp, type StartOptions, startApp } from './start-app.ts';
import { submitForm } from './submit-form.ts';

/** Signed-in member. `cookie` is the value of the Cookie header; `token` is their API token with all scopes. */
export type TeamMember = {
  role: Role;
  memberId: string;
  name: string;
  email: string;
  cookie: string;
  token: string;
};

export type TeamApp = {
  app: StartedApp;
  /** Returns the member with this role. One exists for each role. */
  as(role: Role): TeamMember;
  /** Database of the app, to check stored data. */
  database: pg.Pool;
  stop(): Promise<void>;
};

/** Password of all members. */
export const TEAM_PASSWORD = 'correct horse battery staple';
export const TEAM_SECRET = 'a-secret-of-the-tests-that-is-long-enough';

/**
 * Starts Hone in team mode. The first owner joins with the printed link, the others by invitation, all over HTTP. Uses the database of
 * `env.DATABASE_URL`, or its own PostgreSQL.
 */
export async function startTeamApp({ env = {}, ...options }: StartOptions = {}): Promise<TeamApp> {
  const postgres = env.DATABASE_URL === undefined ? await startPreparedPostgres() : null;
  const connectionString = env.DATABASE_URL ?? postgres?.connectionString ?? '';
  const port = options.port ?? (await freePort());
  const app = await startApp({
    ...options,
    port,
    env: {
      HONE_MODE: 'team',
      HONE_SECRET: TEAM_SECRET,
      APP_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: connectionString,
      ...env,
    },
  });
  const database = new pg.Pool({ connectionString, max: 4 });
  database.on('error', () => undefined);
  const members = await createTeam(app, database);
  return {
    app,
    database,
    as: (role) => {
      const member = members.get(role);
      if (member === undefined) throw new Error(`there is no ${role}`);
      return member;
    },
    stop: async () => {
      await database.end();
      await app.stop();
      await postgres?.stop();
    },
  };
}

/** Returns a Prisma client for the app's database. */
export function withPrisma(database: pg.Pool): { prisma: PrismaClient } {
  return { prisma: new PrismaClient({ adapter: new PrismaPg(database) }) };
}

async function createTeam(app: StartedApp, database: pg.Pool): Promise<Map<Role, TeamMember>> {
  const link = /\/join\/[A-Za-z0-9_-]{43}/.exec(app.output())?.[0];
  if (link === undefined) throw new Error(`no link of the first owner was printed:\n${app.output()}`);
  const owner = await join(app, database, link, 'owner');
  const members = new Map<Role, TeamMember>([['owner', owner]]);
  const context = withPrisma(database);
  const actor = { id: owner.memberId, memberId: owner.memberId, name: owner.name, role: owner.role };
  for (const role of ROLES.filter((other) => other !== 'owner')) {
    const made = await inviteMember(context, actor, { role, label: role }, new Date());
    if (!made.ok) throw new Error(made.problem.message);
    members.set(role, await join(app, database, made.value.path, role));
  }
  return members;
}

async function join(app: StartedApp, database: pg.Pool, path: string, role: Role): Promise<TeamMember> {
  const name = `The ${role}`;
  const email = `${role}@team.example`;
  const sent = await submitForm(app.address, path, { name, email, password: TEAM_PASSWORD });
  if (sent.cookie === null) throw new Error(`${name} could not join (${sent.status}): ${sent.text.slice(0, 1000)}`);
  const { rows } = await database.query<{ id: string; role: Role }>('SELECT id, role FROM members WHERE email = $1', [
    email,
  ]);
  const row = rows[0];
  if (row?.role !== role) throw new Error(`${name} joined as ${row?.role}`);
  return { role, memberId: row.id, name, email, cookie: sent.cookie, token: await giveToken(database, row.id, name) };
}

async function giveToken(database: pg.Pool, memberId: string, name: string): Promise<string> {
  const token = makeToken();
  await database.query(
    `INSERT INTO api_tokens (id, name, hash, last_four, scopes, created_by, member_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now())`,
    [randomUUID(), `of ${name}`, hashToken(token), token.slice(-4), TOKEN_SCOPES, name, memberId],
  );
  return token;
}
