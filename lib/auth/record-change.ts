import { addContribution, CONTRIBUTION_KINDS, type ContributionKind } from '#lib/audit/contributions.ts';
import { insertAudit } from '#lib/audit/queries.ts';
import type { AuditAct, AuditChange, AuditSubjectKind, AuditVia } from '#lib/audit/schema.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { type Actor, personOf } from './actor.ts';

/** Who is noted. `role`: null for links, webhooks and strangers, who have none; `via`: left out where the actor tells it. */
export type AuditActor = Omit<Actor, 'role'> & { role: Actor['role'] | null; via?: AuditVia };

/** What is noted. `outcome` is `done` unless it was refused. */
export type RecordedChange = {
  act: AuditAct;
  subject: { kind: AuditSubjectKind; id?: string | null; name?: string | null };
  change?: AuditChange;
  outcome?: 'done' | 'refused';
};

/** Hone itself: what it does by its rules and not because somebody said so. */
export const HONE: AuditActor = { id: 'hone', name: 'Hone', role: null, via: 'system' };

/** Characters that are kept of a name, and of each value of a change. */
const NAME_LENGTH = 200;
const VALUE_LENGTH = 500;

/**
 * Notes in the audit log what `actor` did. `prisma`: the transaction it is done in, or the client where it has none.
 * `change` says what of the subject in words and values; long texts are cut. Never hand in a key, a password, a token or a link.
 */
export async function recordChange(
  prisma: Transaction,
  actor: AuditActor,
  { act, subject, change = {}, outcome = 'done' }: RecordedChange,
): Promise<void> {
  if (outcome === 'done') await keepContribution(prisma, actor, act, subject);
  await insertAudit(prisma, {
    actorId: actor.id,
    actor: cut(actor.name, NAME_LENGTH),
    role: actor.role ?? 'none',
    via: actor.via ?? (actor.id === HONE.id ? 'system' : actor.scopes === undefined ? 'person' : 'token'),
    entry: actor.entry ?? null,
    act,
    subject: { kind: subject.kind, id: subject.id ?? null, name: shortOrNull(subject.name, NAME_LENGTH) },
    change: Object.fromEntries(
      Object.entries(change).map(([name, value]) => [
        name,
        typeof value === 'string' ? cut(value, VALUE_LENGTH) : value,
      ]),
    ),
    outcome,
    address: shortOrNull(actor.address, NAME_LENGTH),
  });
}

/** Acts by which somebody has a part in what a run says, and so in the lessons that it writes. */
const CONTRIBUTING: Record<ContributionKind, readonly AuditAct[]> = {
  experiment: ['created', 'changed', 'imported'],
  dataset: ['created', 'changed', 'imported'],
  batch: ['started', 'resumed'],
  run: ['started', 'decided', 'scored', 'requested'],
  provider: ['created', 'changed'],
  webhook: ['created', 'changed'],
  mcp_server: ['created', 'changed'],
};

async function keepContribution(
  prisma: Transaction,
  actor: AuditActor,
  act: AuditAct,
  { kind: subjectKind, id, name }: RecordedChange['subject'],
): Promise<void> {
  // Runs name targets beside providers.
  const named = subjectKind === 'target' ? 'provider' : subjectKind;
  const kind = CONTRIBUTION_KINDS.find((known) => known === named);
  if (kind === undefined || actor.role === null || !CONTRIBUTING[kind].includes(act)) return;
  const subject = id ?? name ?? null;
  if (subject !== null) await addContribution(prisma, { kind, subject, personId: personOf(actor) });
}

function shortOrNull(text: string | null | undefined, length: number): string | null {
  return text === null || text === undefined || text === '' ? null : cut(text, length);
}

/** Whole characters only: half a surrogate pair is no text. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
