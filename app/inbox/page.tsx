import { z } from 'zod';
import { INBOX_STEP } from '#components/inbox/fetch-inbox.ts';
import { InboxTitle, InboxView } from '#components/inbox/inbox-view.tsx';
import { Page } from '#components/layout/page.tsx';
import { personOf } from '#lib/auth/actor.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { INBOX_SCOPES, WAITING_KINDS } from '#lib/inbox/inbox-item.ts';
import { listInbox } from '#lib/inbox/queries.ts';
import { countLessonsToReview } from '#lib/lessons/count-lessons.ts';
import { countWaitingRuns, findRun } from '#lib/runs/queries.ts';
import { withShortTexts } from '#lib/runs/schema.ts';
import { type SearchParams, searchParam } from '../search-param.ts';
import { decideFromInboxAction } from './actions.ts';

export default async function InboxPage({ searchParams }: { searchParams: SearchParams }) {
  const actor = await authorizePage('/inbox');
  const asked = await searchParams;
  const filter = {
    kind: WAITING_KINDS.find((kind) => kind === searchParam(asked.kind)) ?? null,
    experiment: idOf(searchParam(asked.experiment)),
    whose: INBOX_SCOPES.find((scope) => scope === searchParam(asked.whose)) ?? 'all',
    cursor: searchParam(asked.cursor),
  };
  const { database, now } = await getAppContext();
  const moment = now();
  const holder = { actorId: actor.id, actorName: actor.name, windowId: null, personId: personOf(actor) };
  const { kind, experiment: experimentId, whose: scope, cursor } = filter;
  const [waiting, lessonsToReview, inbox] = await Promise.all([
    countWaitingRuns(database),
    countLessonsToReview(database),
    listInbox(database, { kind, experimentId, scope, cursor, limit: INBOX_STEP }, holder, moment),
  ]);
  const chosen = idOf(searchParam(asked.item)) ?? inbox.items.find(({ claim }) => claim === null)?.id ?? null;
  const found = chosen === null ? null : await findRun(database, chosen);
  const item = found && {
    run: withShortTexts(found.record),
    experimentName: found.experimentName,
    settings: found.settings,
  };
  // Which window asks is known to the browser alone: who is on what comes from there.
  const unclaimed = { ...inbox, items: inbox.items.map((listed) => ({ ...listed, claim: null })) };
  return (
    <Page
      crumbs={[{ label: 'Inbox' }]}
      title={<InboxTitle waiting={waiting} />}
      actions={<span className="text-ink-3 text-sm max-narrow:hidden">The next item opens after each decision</span>}
    >
      <InboxView
        initial={{ filter, inbox: unclaimed }}
        item={item}
        me={actor.name}
        lessonsToReview={lessonsToReview}
        decide={decideFromInboxAction}
        now={moment.toISOString()}
      />
    </Page>
  );
}

function idOf(text: string | null): string | null {
  return z.uuid().safeParse(text).data ?? null;
}
