import { CONTRIBUTION_KINDS, type ContributionKind, insertAudit } from '#lib/audit/queries.ts';
import type { AuditAction, AuditActorKind, AuditChange, AuditSubjectKind } from '#lib/audit/schema.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { type Actor, personOf } from './actor.ts';

/**
 * Actor as recorded in the audit log. `role`: null for links, webhooks and unauthenticated callers. `via`: omitted if the actor determines
 * it.
 */
export type AuditActor = Omit<Actor, 'role'> & { role: Actor['role'] | null; via?: AuditActorKind };

/** The recorded change. `outcome` is `done` unless the change was refused. */
export type RecordedChange = {
  act: AuditAction;
  subject: { kind: AuditSubjectKind; id?: string | null; name?: string | null };
  change?: AuditChange;
  outcome?: 'done' | 'refused';
};

/** Hone itself as an actor, for automatic actions that no person requested. */
export const HONE_ACTOR: AuditActor = { id: 'hone', name: 'Hone', role: null, via: 'system' };

/** Maximum length of a name and of each value of a change. */
const NAME_LENGTH = 200;
const VALUE_LENGTH = 500;

/**
 * Records an action of `actor` in the audit log. `prisma`: the transaction of the action, or the client if there is none. `change`: changed
 * fields and values, long texts are truncated. Never pass a key, a password, a token or a link.
 */
export async function recordChange(
  prisma: Transaction,
  actor: AuditActor,
  { act, subject, change = {}, outcome = 'done' }: RecordedChange,
): Promise<void> {
  if (outcome === 'done') await saveContribution(prisma, actor, act, subject);
  await insertAudit(prisma, {
    actorId: actor.id,
    actor: cut(actor.name, NAME_LENGTH),
    role: actor.role ?? 'none',
    via: actor.via ?? (actor.id === HONE_ACTOR.id ? 'system' : actor.scopes === undefined ? 'person' : 'token'),
    entry: actor.entry ?? null,
    act,
    subject: { kind: subject.kind, id: subject.id ?? null, name: shortOrNull(subject.name) },
    change: Object.fromEntries(
      Object.entries(change).map(([name, value]) => [
        name,
        typeof value === 'string' ? cut(value, VALUE_LENGTH) : value,
      ]),
    ),
    outcome,
    address: shortOrNull(actor.address),
  });
}

/** Actions that make a person a contributor to the text of a run, and so to the lessons it writes. */
const CONTRIBUTING: Record<ContributionKind, readonly AuditAction[]> = {
  experiment: ['created', 'changed', 'imported'],
  dataset: ['created', 'changed', 'imported'],
  batch: ['started', 'resumed'],
  run: ['started', 'decided', 'scored', 'requested'],
  provider: ['created', 'changed'],
  webhook: ['created', 'changed'],
  mcp_server: ['created', 'changed'],
};

async function saveContribution(
  prisma: Transaction,
  actor: AuditActor,
  act: AuditAction,
  { kind: subjectKind, id, name }: RecordedChange['subject'],
): Promise<void> {
  // Runs refer to targets as providers.
  const named = subjectKind === 'target' ? 'provider' : subjectKind;
  const kind = CONTRIBUTION_KINDS.find((known) => known === named);
  if (kind === undefined || actor.role === null || !CONTRIBUTING[kind].includes(act)) return;
  const subject = id ?? name ?? null;
  if (subject === null) return;
  const contribution = { kind, subject, personId: personOf(actor) };
  await prisma.contribution.createMany({ data: contribution, skipDuplicates: true });
}

function shortOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined || text === '' ? null : cut(text, NAME_LENGTH);
}

/** Never splits a surrogate pair, which would be invalid text. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

/** Records an export in the audit log. */
export async function recordExport(
  actor: Actor,
  subject: { kind: AuditSubjectKind; id?: string },
  change: AuditChange,
): Promise<void> {
  const { database } = await getAppContext();
  await recordChange(database.prisma, actor, { act: 'exported', subject, change });
}
