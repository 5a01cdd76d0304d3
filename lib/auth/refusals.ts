import type { AuditChange } from '#lib/audit/schema.ts';
import { beforeDatabaseCloses, getAppDatabase } from '#lib/context/app-database.ts';
import type { Database } from '#lib/database/database.ts';
import { getLog } from '#lib/log/log.ts';
import type { Actor } from './actor.ts';
import type { PageRequestKind } from './page-request-kind.ts';
import { recordChange } from './record-change.ts';
import type { Role } from './role.ts';

type Options<Refusal> = {
  /** Writes one entry. `change` says what is beside the refusal itself. */
  write(refusal: Refusal, change: AuditChange): Promise<void>;
  now(): number;
  /** Calls back once after so many milliseconds. */
  later(work: () => void, ms: number): void;
};

/** Within this time further refusals of one member at one page are counted and not written each. */
export const COUNTED_MS = 10 * 60_000;
/** So long a browser takes to load, as a document, what it was refused as the content of a click. */
const SAME_CLICK_MS = 15_000;

type Seen<Refusal> = { more: number; refusal: Refusal; clickedAt: number | null };

/**
 * Keeps the audit log from being flooded by refused pages: of one key (who asked for which page) the first refusal is written at once, the
 * others are counted and written as one entry with `times` after ten minutes, or by `flush`. What a browser asks for twice because of one
 * click counts once.
 */
export function pageRefusals<Refusal>({ write, now, later }: Options<Refusal>) {
  const seen = new Map<string, Seen<Refusal>>();

  const writeCounted = async (one: Seen<Refusal>): Promise<void> => {
    const times = one.more;
    one.more = 0;
    if (times > 0) await write(one.refusal, { times });
  };
  const close = (key: string, one: Seen<Refusal>): void => {
    if (one.more === 0) seen.delete(key);
    else {
      writeCounted(one).catch((error: unknown) => getLog().error('audit of refused pages', error));
      later(() => close(key, one), COUNTED_MS);
    }
  };
  return {
    take: async (key: string, refusal: Refusal, kind: PageRequestKind): Promise<void> => {
      const clickedAt = kind === 'navigation' ? now() : null;
      const one = seen.get(key);
      if (one === undefined) {
        const first = { more: 0, refusal, clickedAt };
        seen.set(key, first);
        later(() => close(key, first), COUNTED_MS);
        return write(refusal, kind === 'prefetch' ? { prefetch: true } : {}).catch((error: unknown) => {
          seen.delete(key);
          throw error;
        });
      }
      const isSameClick = kind === 'document' && one.clickedAt !== null && now() - one.clickedAt < SAME_CLICK_MS;
      one.clickedAt = clickedAt;
      if (isSameClick) return;
      one.more += 1;
      one.refusal = refusal;
    },
    /** Writes what is counted, say because Hone ends. */
    flush: async (): Promise<void> => {
      const counted = [...seen.values()];
      seen.clear();
      for (const one of counted) await writeCounted(one);
    },
  };
}

type Entering = Actor & { entry: string };

/** Notes in the audit log that a member, or their token, was refused an entry for want of a role. `more` goes with it. */
export async function recordRefusal(
  { prisma }: Pick<Database, 'prisma'>,
  actor: Entering,
  needed: Role,
  more: AuditChange = {},
): Promise<void> {
  await recordChange(prisma, actor, {
    act: 'entered',
    subject: { kind: 'entry', id: actor.entry, name: actor.entry },
    change: { needed, ...more },
    outcome: 'refused',
  });
}

let pages: ReturnType<typeof pageRefusals<{ actor: Entering; needed: Role }>> | null = null;

/** Notes that a member was refused a page. Whatever they ask for over and over is counted and noted as one: see `pageRefusals`. */
export async function recordPageRefusal(actor: Entering, needed: Role, kind: PageRequestKind): Promise<void> {
  pages ??= openPageRefusals();
  await pages.take(`${actor.id} ${actor.entry}`, { actor, needed }, kind);
}

function openPageRefusals() {
  const database = getAppDatabase();
  const opened = pageRefusals<{ actor: Entering; needed: Role }>({
    write: ({ actor, needed }, change) => recordRefusal(database, actor, needed, change),
    now: () => performance.now(),
    later: (work, ms) => void setTimeout(work, ms).unref(),
  });
  beforeDatabaseCloses(opened.flush);
  return opened;
}
