import { randomUUID } from 'node:crypto';
import { TOKEN_SCOPES } from '#lib/auth/actor.ts';
import { hashToken, makeToken } from '#lib/auth/api-tokens.ts';
import { inviteMember } from '#lib/auth/create-member-links.ts';
import type { Role } from '#lib/auth/role.ts';
import { submitForm } from '../submit-form.ts';
import { type TeamApp, withPrisma } from '../team-app.ts';
import { fromNewAddress } from './from-new-address.ts';

export type NewMember = {
  memberId: string;
  name: string;
  email: string;
  password: string;
  cookie: string;
  token: string;
};

/** Creates invitation links and members with unique names. */
export function memberFactory({ app, as, database }: TeamApp) {
  const paths: string[] = [];
  const context = withPrisma(database);

  async function newInvitation(role: Role): Promise<string> {
    const { memberId, name } = as('owner');
    const actor = { id: memberId, memberId, name, role: 'owner' as const };
    const made = await inviteMember(context, actor, { role, label: role }, new Date());
    if (!made.ok) throw new Error(made.problem.message);
    paths.push(made.value.path);
    return made.value.path;
  }

  async function newMember(role: Role): Promise<NewMember> {
    const short = randomUUID().slice(0, 8);
    const person = { name: `Guest ${short}`, email: `guest-${short}@team.example`, password: `the word of ${short}` };
    const { cookie, text } = await submitForm(app.address, await newInvitation(role), person, fromNewAddress());
    if (cookie === null) throw new Error(`${person.name} could not join: ${text.slice(0, 500)}`);
    const { rows } = await database.query<{ id: string }>('SELECT id FROM members WHERE email = $1', [person.email]);
    const memberId = rows[0]?.id ?? '';
    const token = makeToken();
    await database.query(
      `INSERT INTO api_tokens (id, name, hash, last_four, scopes, created_by, member_id, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now())`,
      [randomUUID(), short, hashToken(token), token.slice(-4), TOKEN_SCOPES, person.name, memberId],
    );
    return { memberId, ...person, cookie, token };
  }

  return { newInvitation, newMember, invitations: () => paths.map((path) => path.split('/').at(-1) ?? '') };
}
