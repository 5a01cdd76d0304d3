import type pg from 'pg';
import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanText, type Page, pageOf, readTimeCursor, timeCursor } from '#lib/database/query-values.ts';
import type { Note, NoteSubject } from './note.ts';

/** A note as it is stored; `actorId` tells who may change it. */
type StoredNote = Omit<Note, 'isMine'> & { actorId: string };

/** The notes on a run or an experiment, newest first. */
async function listNotes(
  { prisma }: Pick<Database, 'prisma'>,
  subject: NoteSubject,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<StoredNote>> {
  const before = readTimeCursor(cursor);
  const rows = await prisma.note.findMany({
    where: {
      ...columnOf(subject),
      ...(before !== null && {
        OR: [{ createdAt: { lt: before.at } }, { createdAt: before.at, id: { lt: before.id } }],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  });
  return pageOf(rows.map(toNote), limit, timeCursor);
}

/** Keeps a note; false where what it is on is not there. */
export async function insertNote(
  client: pg.PoolClient,
  subject: NoteSubject,
  note: { id: string; actor: string; actorId: string; text: string; now: Date },
): Promise<boolean> {
  const [column, table] = subject.kind === 'run' ? ['run_id', 'runs'] : ['experiment_id', 'experiments'];
  const { rowCount } = await client.query(
    `INSERT INTO notes (id, ${column}, actor, actor_id, text, created_at, updated_at)
     SELECT $1, id, $3, $4, $5, $6, $6 FROM ${table} WHERE id = $2`,
    [note.id, subject.id, note.actor, note.actorId, cleanText(note.text), note.now],
  );
  return rowCount === 1;
}

/** A note by its id, and what it is on; null where there is none. */
export async function findNote(
  { prisma }: Pick<Database, 'prisma'>,
  id: string,
): Promise<{ note: StoredNote; subject: NoteSubject } | null> {
  const row = await prisma.note.findUnique({ where: { id } });
  if (row === null) return null;
  const subject: NoteSubject =
    row.runId === null ? { kind: 'experiment', id: row.experimentId ?? '' } : { kind: 'run', id: row.runId };
  return { note: toNote(row), subject };
}

/** Puts another text in the place of a note's; false where it was deleted meanwhile. */
export async function updateNote(
  transaction: Prisma.TransactionClient,
  id: string,
  change: { text: string; now: Date },
): Promise<boolean> {
  const { count } = await transaction.note.updateMany({
    where: { id },
    data: { text: cleanText(change.text), updatedAt: change.now },
  });
  return count === 1;
}

/** Deletes a note; false where it was gone already. */
export async function deleteNoteRow(transaction: Prisma.TransactionClient, id: string): Promise<boolean> {
  const { count } = await transaction.note.deleteMany({ where: { id } });
  return count === 1;
}

function columnOf({ kind, id }: NoteSubject): { runId: string } | { experimentId: string } {
  return kind === 'run' ? { runId: id } : { experimentId: id };
}

type NoteRow = { id: string; actor: string; actorId: string; text: string; createdAt: Date; updatedAt: Date };

function toNote({ id, actor, actorId, text, createdAt, updatedAt }: NoteRow): StoredNote {
  return { id, actor, actorId, text, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** The notes on a run or an experiment, newest first, as `actor` sees them. */
export async function findNotes(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  subject: NoteSubject,
  page: { cursor: string | null; limit: number },
): Promise<Page<Note>> {
  const { items, nextCursor } = await listNotes(database, subject, page);
  return {
    items: items.map(({ actorId, ...note }) => ({ ...note, isMine: actorId === personOf(actor) })),
    nextCursor,
  };
}
