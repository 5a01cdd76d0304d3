import type { AuditChange } from '#lib/audit/schema.ts';
import { beforeDatabaseCloses, getAppDatabase } from '#lib/context/app-database.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { getLog } from '#lib/log/log.ts';
import type { Actor } from './actor.ts';
import type { PageRequestKind } from './page-request-kind.ts';
import { recordChange } from './record-change.ts';
import type { Role } from './role.ts';

type Options<Refusal> = {
  /** Writes one entry. `change`: additional fields of the entry. */
  write(refusal: Refusal, change: AuditChange): Promise<void>;
  now(): number;
  /** Calls `work` once after the given delay in milliseconds. */
  later(work: () => void, ms: number): void;
};

/** Period in which further refusals of one member on one page are counted instead of written individually. */
export const COUNTED_MS = 10 * 60_000;
/** Maximum time until a browser loads a refused client navigation again as a document. */
const SAME_CLICK_MS = 15_000;

type Seen<Refusal> = { more: number; refusal: Refusal; clickedAt: number | null };

/**
 * Prevents refused pages from flooding the audit log. The first refusal of a key (person and page) is written immediately. Further ones are
 * counted and written as one entry with `times` after ten minutes, or by `flush`. Repeated requests caused by one click count once.
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
    /** Writes the pending counts, for example before shutdown. */
    flush: async (): Promise<void> => {
      const counted = [...seen.values()];
      seen.clear();
      for (const one of counted) await writeCounted(one);
    },
  };
}

type Entering = Actor & { entry: string };

/** Records in the audit log that a member or their token was refused because of a missing role. Includes `more`. */
export async function recordRefusal(
  { prisma }: DatabaseClient,
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

/** Records that a member was refused a page. Repeated refusals are combined, see `pageRefusals`. */
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
