import { hash } from 'node:crypto';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { TimedContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import type { ChatFile } from '#lib/core/chat/chat-message.ts';
import { filesOf } from '#lib/core/chat/message-content.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { visibleName } from '#lib/core/visible-name.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { type InlineFile, sniffMediaType } from './data-url.ts';
import {
  FILE_TYPES,
  MAX_CASE_FILES_BYTES,
  MAX_STORED_FILE_BYTES,
  type StoredFile,
  storedFileSchema,
} from './schema.ts';

const ROW = { sha256: true, mediaType: true, size: true, name: true } as const;

/** Stores a file, once per content. Its type is detected from its content. */
export async function storeFile(
  { database, now }: TimedContext,
  actor: Actor,
  { bytes, name }: { bytes: Uint8Array; name: string | null },
): Promise<Result<StoredFile>> {
  if (bytes.byteLength === 0) return fail('invalid', 'The file is empty.');
  if (bytes.byteLength > MAX_STORED_FILE_BYTES)
    return fail('too_large', 'The file is larger than 10 MB. Make it smaller.');
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null)
    return fail('unsupported_type', `The content of the file is none of ${FILE_TYPES.join(', ')}. Convert it first.`);
  const sha256 = hash('sha256', bytes);
  const safeName = keptName(name);
  const row = await inTransaction(database, async (transaction) => {
    const before = await transaction.storedFile.findUnique({ where: { sha256 }, select: ROW });
    const facts = { sha256, mediaType, name: safeName, bytes };
    const stored = await upsertFile(transaction, facts, { actor: actor.name, now: now() });
    if (before === null)
      await recordChange(transaction, actor, {
        act: 'created',
        subject: { kind: 'file', id: sha256, name: safeName },
        change: { mediaType, size: bytes.byteLength },
      });
    return stored;
  });
  // The same content may have been uploaded under another name.
  return succeed({ ...fileOf(row), name: safeName });
}

/** Author and time of an upload. */
type Storing = { actor: string; now: Date };

/** Stores an inline file of an import. It needs no audit entry, because the import has one. */
export async function storeInlineFile(
  transaction: Transaction,
  { part: { file, mediaType, name }, bytes }: InlineFile,
  storing: Storing,
): Promise<void> {
  await upsertFile(transaction, { sha256: file, mediaType, name: keptName(name ?? null), bytes }, storing);
}

function upsertFile(
  transaction: Transaction,
  { sha256, bytes, ...facts }: { sha256: string; mediaType: string; name: string | null; bytes: Uint8Array },
  { actor, now }: Storing,
) {
  return transaction.storedFile.upsert({
    where: { sha256 },
    create: {
      ...{ sha256, ...facts, size: bytes.byteLength, bytes: Buffer.from(bytes) },
      ...{ createdBy: cleanText(actor), createdAt: now, usedAt: now },
    },
    update: { usedAt: now },
    select: ROW,
  });
}

function keptName(name: string | null): string | null {
  return name === null ? null : visibleName(cleanText(name)).trim().slice(0, 200).toWellFormed() || null;
}

function fileOf({ sha256: id, ...row }: { sha256: string; mediaType: string; size: number; name: string | null }) {
  return storedFileSchema.parse({ id, ...row });
}

/** Returns a stored file with its content, or null. */
export async function findFile(
  { prisma }: DatabaseClient,
  id: string,
): Promise<{ file: StoredFile; bytes: Uint8Array<ArrayBuffer> } | null> {
  const row = await prisma.storedFile.findUnique({ where: { sha256: id }, select: { ...ROW, bytes: true } });
  if (row === null) return null;
  const { bytes, ...file } = row;
  return { file: fileOf(file), bytes };
}

/** Returns a function that loads files by id for model calls. Missing files are left out. */
export function fileLoader({ prisma }: DatabaseClient): (ids: readonly string[]) => Promise<Map<string, Uint8Array>> {
  return async (ids) => {
    const rows = await prisma.storedFile.findMany({
      where: { sha256: { in: [...ids] } },
      select: { sha256: true, bytes: true },
    });
    return new Map(rows.map(({ sha256, bytes }) => [sha256, bytes]));
  };
}

/** Returns the ids that are stored. */
export async function storedFileIds({ prisma }: DatabaseClient, ids: readonly string[]): Promise<Set<string>> {
  const stored = new Set<string>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const where = { sha256: { in: ids.slice(from, from + IDS_AT_ONCE) } };
    for (const { sha256 } of await prisma.storedFile.findMany({ where, select: { sha256: true } })) stored.add(sha256);
  }
  return stored;
}

/** A statement has at most 32,767 parameters. */
const IDS_AT_ONCE = 10_000;

/**
 * Protects the files of cases that are about to be stored from cleanup. Rejects cases whose files cannot be used. `field` returns the path
 * of a case's input in the request.
 */
export async function protectFiles(
  prisma: Transaction,
  cases: readonly FileCase[],
  now: Date,
  field: (index: number) => string,
): Promise<Result<never> | null> {
  const [first] = await fileProblems(prisma, cases);
  if (first !== undefined) return fail('invalid', `${field(first[0])} ${first[1]}`, field(first[0]));
  await markFilesUsed(prisma, cases, now);
  return null;
}

type FileCase = Pick<Case, 'messages'>;

/** The type and size of a file. */
export type FileFacts = { mediaType: string; size: number };

/**
 * Returns the index of each case whose files cannot be used, with the problem: not stored, another type, or too large in total. `inline`:
 * files to be stored with the cases.
 */
export async function fileProblems(
  prisma: Transaction,
  cases: readonly FileCase[],
  inline: ReadonlyMap<string, FileFacts> = new Map(),
): Promise<Map<number, string>> {
  const ids = fileIds(cases);
  const rows =
    ids.length === 0 ? [] : await prisma.storedFile.findMany({ where: { sha256: { in: ids } }, select: FILE_FACTS });
  const stored = new Map<string, FileFacts>([
    ...inline,
    ...rows.map(({ sha256, ...facts }) => [sha256, facts] as const),
  ]);
  return new Map(
    cases.flatMap(({ messages }, index): [number, string][] => {
      const files = filesOf(messages ?? []);
      const problem = files.map((file) => fileProblem(file, stored.get(file.file)?.mediaType)).find((one) => one);
      if (problem) return [[index, problem]];
      const bytes = [...new Set(files.map(({ file }) => file))].reduce(
        (sum, id) => sum + (stored.get(id)?.size ?? 0),
        0,
      );
      return bytes > MAX_CASE_FILES_BYTES ? [[index, TOO_LARGE]] : [];
    }),
  );
}

const FILE_FACTS = { sha256: true, mediaType: true, size: true } as const;
const TOO_LARGE = `has files of more than ${MAX_CASE_FILES_BYTES / 1_000_000} MB together. Make them smaller, or send fewer.`;

function fileIds(cases: readonly FileCase[]): string[] {
  return [...new Set(cases.flatMap(({ messages }) => filesOf(messages ?? []).map(({ file }) => file)))].sort();
}

/** Protects files of cases from cleanup for a day. Skips files that were used in the last hour, to avoid locking their rows. */
export async function markFilesUsed(prisma: Transaction, cases: readonly FileCase[], now: Date): Promise<void> {
  const ids = fileIds(cases);
  if (ids.length === 0) return;
  const usedAt = { lt: new Date(now.getTime() - HOUR_MS) };
  await prisma.storedFile.updateMany({ where: { sha256: { in: ids }, usedAt }, data: { usedAt: now } });
}

const HOUR_MS = 3_600_000;

function fileProblem({ file, mediaType }: ChatFile, stored: string | undefined): string | null {
  if (stored === undefined)
    return `names the file ${file.slice(0, 8)}, which is not stored. Upload it with POST /api/v1/files.`;
  return stored === mediaType ? null : `says that the file ${file.slice(0, 8)} is ${mediaType}, but it is ${stored}.`;
}

const DAY_MS = 86_400_000;
/** Number of files checked per step and per cleanup. Each requires a search in all cases. */
const AT_ONCE = 50;
const MAX_CHECKED_FILES = 1_000;

/**
 * Deletes files that were neither uploaded nor used for a day and that no case and no kept playground run references. Checks a limited
 * number of files. Returns the number of deleted files.
 */
export async function removeUnusedFiles(
  { prisma }: DatabaseClient,
  now: Date,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const before = new Date(now.getTime() - DAY_MS);
  let removed = 0;
  for (let lookedAt = 0; lookedAt < MAX_CHECKED_FILES; lookedAt += AT_ONCE) {
    const due = await prisma.storedFile.findMany({
      where: { usedAt: { lt: before } },
      orderBy: { usedAt: 'asc' },
      select: { sha256: true },
      take: AT_ONCE,
    });
    for (const { sha256 } of due) {
      if (signal.aborted) return removed;
      const isUsed = await isInUse(prisma, sha256);
      // A referenced file is not checked again for a day.
      if (isUsed) await prisma.storedFile.updateMany({ where: { sha256 }, data: { usedAt: now } });
      else removed += (await prisma.storedFile.deleteMany({ where: { sha256, usedAt: { lt: before } } })).count;
    }
    if (due.length < AT_ONCE) break;
  }
  return removed;
}

async function isInUse(prisma: Transaction, file: string): Promise<boolean> {
  const messages = [{ content: [{ file }] }];
  const where = { messages: { array_contains: messages } };
  const found =
    (await prisma.run.findFirst({ where, select: { id: true } })) ??
    (await prisma.datasetCase.findFirst({ where, select: { position: true } })) ??
    (await prisma.runCase.findFirst({ where, select: { position: true } })) ??
    (await prisma.playgroundRun.findFirst({
      where: { request: { path: ['cases'], array_contains: [{ messages }] } },
      select: { id: true },
    }));
  return found !== null;
}
