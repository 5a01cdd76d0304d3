import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { lockMembers } from '#lib/database/locks.ts';
import { type Transaction, tryInTransaction } from '#lib/database/transactions.ts';
import { findOpenLink, type MemberLink, redeemMemberLink, withdrawPasswordLinks } from './member-links.ts';
import { isSameName, memberEmail, memberName, newPassword } from './member-schema.ts';
import {
  countMembers,
  deleteSessions,
  findMemberAccount,
  insertMember,
  listTakenNames,
  setPasswordHash,
} from './members.ts';
import { currentRateLimits, tooManyRequests } from './rate-limits.ts';
import { recordChange } from './record-change.ts';
import { openSession, type SignedIn, type SignInContext, type SignInSource } from './sign-in/sign-in-by-password.ts';
import { clearAttemptsOf } from './sign-in/sign-in-limits.ts';
import { findPasswordWeakness, type PasswordOwner } from './sign-in/weak-password.ts';

const passwordInput = z.object({ password: newPassword });
const personInput = z.object({ name: memberName, email: memberEmail });

type Joined = { id: string; email: string };
/** `others`: further errors, each for a different field. */
type Refused = { ok: false; problem: Problem; others: Problem[] };
type JoinResult = { ok: true; value: SignedIn } | Refused;
type Step = { link: MemberLink; passwordHash: string; source: SignInSource };

const INVALID_LINK_MESSAGE = 'This link was already used, has expired or was withdrawn. Ask an owner for a new one.';

/**
 * Uses a link: creates the first owner or a member, or sets a member's new password, and signs them in. `token`: from the path. A link
 * works once. Of two concurrent uses, the second gets an error.
 */
export async function joinByLink(
  context: SignInContext,
  token: unknown,
  input: unknown,
  source: SignInSource,
): Promise<JoinResult> {
  const { database, library } = context;
  const found = await findOpenLink(database, token, source);
  if (!found.ok) return { ...found, others: [] };
  const link = found.value;
  const person = link.purpose === 'password' ? null : personInput.safeParse(input);
  const proof = passwordInput.safeParse(input);
  if (person?.success === false || !proof.success)
    return refusedFor([...(person?.error?.issues ?? []), ...(proof.error?.issues ?? [])]);
  const owner = person === null ? await ownerOf(database, link) : person.data;
  const weakness = findPasswordWeakness(proof.data.password, owner);
  if (weakness !== null) return { ...fail('invalid', weakness, 'password'), others: [] };
  // Only holders of an open link reach this point, so others cannot use up this limit.
  const seconds = currentRateLimits().takePassword({ address: source.address });
  if (seconds !== null) return { ...tooManyRequests(seconds), others: [] };
  const { password } = await library.$context;
  const step = { link, passwordHash: await password.hash(proof.data.password), source };
  const joined = await tryInTransaction<Result<Joined> | Refused>(database, (client) =>
    person === null ? setPassword(client, step) : createMember(client, person.data, step),
  );
  if (!joined.ok) return { others: [], ...joined };
  await clearAttemptsOf(database, 'account', joined.value.email);
  // Bypasses the attempt limit: the password was just set, and failed attempts by others must not lock out the holder of the link.
  const signedIn = await openSession(context, { email: joined.value.email, password: proof.data.password }, source);
  return signedIn.ok ? signedIn : { ...signedIn, others: [] };
}

async function ownerOf({ prisma }: SignInContext['database'], { memberId }: MemberLink): Promise<PasswordOwner | null> {
  return memberId === null ? null : findMemberAccount(prisma, memberId);
}

/** Keeps the first error of each field. */
function refusedFor(issues: readonly z.core.$ZodIssue[]): JoinResult {
  const [problem, ...others] = issues
    .filter(({ path }, at) => issues.findIndex((other) => other.path.join() === path.join()) === at)
    .map(({ message, path }) => fail('invalid', message, path.join('.') || null).problem);
  return { ok: false, problem: problem ?? fail('invalid', 'must be given').problem, others };
}

async function createMember(
  client: Transaction,
  { name, email }: { name: string; email: string },
  { link, passwordHash, source }: Step,
): Promise<Result<Joined> | Refused> {
  await lockMembers(client);
  if (link.purpose === 'first_owner' && (await countMembers(client)) > 0)
    return fail('conflict', 'Hone already has an owner. Ask the owner for an invitation.');
  const [problem, ...others] = findTaken(await listTakenNames(client, null), { name, email });
  if (problem !== undefined) return { ok: false, problem, others };
  const id = randomUUID();
  if (!(await redeemMemberLink(client, { id: link.id, usedById: id, now: source.now })))
    return fail('not_found', INVALID_LINK_MESSAGE);
  await insertMember(client, { id, name, email, role: link.role, passwordHash, now: source.now });
  await recordChange(client, linkActor(link, source), {
    act: 'joined',
    subject: { kind: 'member', id, name },
    change: { role: link.role, invitedBy: link.createdBy },
  });
  return succeed({ id, email });
}

function findTaken(members: { name: string; email: string }[], { name, email }: { name: string; email: string }) {
  const problems: Problem[] = [];
  if (members.some((other) => isSameName(other.name, name)))
    problems.push(fail('conflict', 'is already the name of a member. Choose another name', 'name').problem);
  if (members.some((other) => other.email === email))
    problems.push(fail('conflict', 'is already the address of a member. Sign in with it', 'email').problem);
  return problems;
}

/** Ends all existing sessions of the member. */
async function setPassword(client: Transaction, { link, passwordHash, source }: Step): Promise<Result<Joined>> {
  const member = link.memberId === null ? null : await findMemberAccount(client, link.memberId);
  if (member === null || member.disabledAt !== null) return fail('not_found', INVALID_LINK_MESSAGE);
  if (!(await redeemMemberLink(client, { id: link.id, usedById: member.id, now: source.now })))
    return fail('not_found', INVALID_LINK_MESSAGE);
  await setPasswordHash(client, { memberId: member.id, passwordHash, now: source.now });
  await withdrawPasswordLinks(client, member.id, source.now);
  const ended = await deleteSessions(client, member.id);
  await recordChange(client, linkActor(link, source), {
    act: 'changed_password',
    subject: { kind: 'member', id: member.id, name: member.name },
    change: { sessionsEnded: ended },
  });
  return succeed({ id: member.id, email: member.email });
}

function linkActor({ id, label }: MemberLink, { address, entry }: SignInSource) {
  return { id: `link:${id}`, name: label, role: null, via: 'link' as const, address, entry };
}
