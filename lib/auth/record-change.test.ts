import { expect, test } from 'vitest';
import type { AuditGroup } from '#lib/audit/audit-groups.ts';
import { countAudit, iterateAudit, listAudit, listAuditActors } from '#lib/audit/queries.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { recordChange } from './record-change.ts';

const db = useTestDatabase();
const ADA = { id: 'ada', name: 'Ada', role: 'owner', memberId: 'ada', entry: 'action x', address: '10.0.0.1' } as const;
const CI = { id: 'token:1', name: 'ci (API token)', role: 'editor', memberId: 'ada', scopes: ['runs:write'] } as const;
const STRANGER = { id: 'link', name: 'Somebody with a link', role: null, via: 'link' } as const;

/** Inserts entries, oldest first. The tests below read them and change none. */
async function fill() {
  const { prisma } = db.database();
  await recordChange(prisma, ADA, {
    act: 'decided',
    subject: { kind: 'run', id: 'r1', name: 'Sums' },
    change: { version: 2 },
  });
  await recordChange(prisma, CI, { act: 'started', subject: { kind: 'batch', id: 'b1' }, change: { runs: 30 } });
  await prisma.$transaction((transaction) =>
    recordChange(transaction, ADA, { act: 'reviewed', subject: { kind: 'lesson', id: 'l1' }, outcome: 'refused' }),
  );
  await recordChange(prisma, STRANGER, { act: 'joined', subject: { kind: 'member', id: 'm2', name: 'Grace' } });
}

test('stores changes and lists them by part, person, subject and page', async () => {
  await fill();
  const database = db.database();
  const all = await listAudit(database, {}, { cursor: null, limit: 50 });
  expect(all.items.map(({ act }) => act)).toEqual(['joined', 'reviewed', 'started', 'decided']);
  expect(all.items.map(({ via, role }) => `${via} ${role}`)).toEqual([
    'link none',
    'person owner',
    'token editor',
    'person owner',
  ]);
  expect(all.items.at(-1)).toMatchObject({
    ...{ actorId: 'ada', actor: 'Ada', entry: 'action x', address: '10.0.0.1', outcome: 'done' },
    ...{ subject: { kind: 'run', id: 'r1', name: 'Sums' }, change: { version: 2 } },
  });
  const parts = async (group: AuditGroup) =>
    (await listAudit(database, { group }, { cursor: null, limit: 9 })).items.map(({ act }) => act);
  expect(await parts('decisions')).toEqual(['decided']);
  expect(await parts('lessons')).toEqual(['reviewed']);
  expect(await parts('access')).toEqual(['joined']);
  expect(await parts('refused')).toEqual(['reviewed']);
  expect(await parts('settings')).toEqual([]);
  expect(await countAudit(database, { actorId: 'ada' })).toBe(2);
  expect(await countAudit(database, { subject: { kind: 'lesson', id: 'l1' } })).toBe(1);
  expect(await countAudit(database, { to: new Date(0) })).toBe(0);
  expect((await listAuditActors(database)).map(({ name }) => name)).toEqual(['Ada', 'ci (API token)']);
  expect(await countAudit(database, { actorId: 'link' })).toBe(1);
  const first = await listAudit(database, {}, { cursor: null, limit: 3 });
  const second = await listAudit(database, {}, { cursor: first.nextCursor, limit: 3 });
  expect([...first.items, ...second.items]).toEqual(all.items);
  expect(second.nextCursor).toBeNull();
  const walked = [];
  for await (const entry of iterateAudit(database, {})) walked.push(entry);
  expect(walked).toEqual(all.items);
});

test('audit entries are append-only', async () => {
  const { pool } = db.database();
  await recordChange(db.database().prisma, ADA, { act: 'deleted', subject: { kind: 'run' } });
  for (const statement of [
    "UPDATE audit_entries SET actor = 'x'",
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
  ])
    await expect(pool.query(statement)).rejects.toThrow('only be added to');
});

test('sanitizes and truncates hostile texts', async () => {
  const text = `\u0000\ud800${'😀'.repeat(400)}`;
  await recordChange(
    db.database().prisma,
    { ...ADA, name: text },
    { act: 'created', subject: { kind: 'run', id: '\u0000', name: text }, change: { text } },
  );
  const [entry] = (await listAudit(db.database(), {}, { cursor: null, limit: 1 })).items;
  expect(entry?.actor.startsWith('\ufffd\ufffd😀')).toBe(true);
  expect(entry?.actor.length).toBe(200);
  expect(entry?.subject.name).toBe(entry?.actor);
  expect(String(entry?.change.text).length).toBe(500);
});

test('an audit entry is rolled back with its transaction', async () => {
  const database = db.database();
  const before = await countAudit(database, {});
  const failing = database.prisma.$transaction(async (transaction) => {
    await recordChange(transaction, ADA, { act: 'deleted', subject: { kind: 'run', id: 'r9' } });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await countAudit(database, {})).toBe(before);
});
