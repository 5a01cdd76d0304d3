import { INBOX_STEP } from '#components/inbox/fetch-inbox.ts';
import { InboxTitle, InboxView } from '#components/inbox/inbox-view.tsx';
import { Page } from '#components/layout/page.tsx';
import { personOf } from '#lib/auth/actor.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Database } from '#lib/database/database.ts';
import { countInboxGroups, listInboxItems } from '#lib/inbox/queries.ts';
import { INBOX_SCOPES, WAITING_KINDS } from '#lib/inbox/waiting-kinds.ts';
import { countLessonsToReview } from '#lib/lessons/lesson-status.ts';
import { countWaitingRuns, findRun } from '#lib/runs/queries.ts';
import { withShortTexts } from '#lib/runs/schema.ts';
import { idParam, type SearchParams, searchParam } from '../search-param.ts';

export default async function InboxPage({ searchParams }: { searchParams: SearchParams }) {
  const actor = await authorizePage('/inbox');
  const query = await searchParams;
  const filter = {
    kind: WAITING_KINDS.find((kind) => kind === searchParam(query.kind)) ?? null,
    experiment: idParam(query.experiment),
    whose: INBOX_SCOPES.find((scope) => scope === searchParam(query.whose)) ?? 'all',
    cursor: searchParam(query.cursor),
  };
  const { database, now } = await getAppContext();
  const moment = now();
  const holder = { actorId: actor.id, actorName: actor.name, windowId: null, personId: personOf(actor) };
  const { kind, experiment: experimentId, whose: scope, cursor } = filter;
  // Load the selected run as soon as the list is ready. The counts run in parallel and take longer.
  const listing = listInboxItems(database, { kind, experimentId, scope, cursor, limit: INBOX_STEP }, holder, moment);
  const [waiting, lessonsToReview, groups, page, item] = await Promise.all([
    countWaitingRuns(database),
    countLessonsToReview(database),
    countInboxGroups(database, holder, moment),
    listing,
    listing.then(({ items }) =>
      findItem(database, idParam(query.item) ?? items.find(({ claim }) => claim === null)?.id),
    ),
  ]);
  // Only the browser knows its window id, so it loads the claims.
  const inbox = { ...page, groups, items: page.items.map((listed) => ({ ...listed, claim: null })) };
  return (
    <Page
      crumbs={[{ label: 'Inbox' }]}
      title={<InboxTitle waiting={waiting} />}
      actions={<span className="text-ink-3 text-sm max-narrow:hidden">The next item opens after each decision</span>}
    >
      <InboxView initial={{ filter, inbox }} item={item} me={actor.name} lessonsToReview={lessonsToReview} />
    </Page>
  );
}

async function findItem(database: Database, id: string | undefined) {
  const found = id === undefined ? null : await findRun(database, id);
  return (
    found && {
      run: withShortTexts(found.record),
      experimentName: found.experimentName,
      settings: found.settings,
    }
  );
}
