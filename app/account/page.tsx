import { KeyboardSettings } from '#components/layout/keyboard-settings.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { TokensPart } from '#components/settings/tokens-part.tsx';
import { AccountName, AccountPassword, SessionList } from '#components/team/account-panes.tsx';
import { LocalMode } from '#components/team/local-mode.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { Actor } from '#lib/auth/actor.ts';
import { listApiTokens } from '#lib/auth/api-tokens.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { findMemberAccount } from '#lib/auth/members.ts';
import { UNUSED_SESSION_DAYS } from '#lib/auth/sign-in/sign-in-library.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { getRunningApp } from '#lib/context/running-app.ts';
import { listOwnSessions } from '#lib/team/own-account.ts';
import { changeMyPasswordAction, makeMyTokenAction, renameMeAction, revokeMyTokenAction } from './actions.ts';

export default async function AccountPage() {
  const actor = await authorizePage('/account');
  const { memberId } = actor;
  return (
    <Page crumbs={[{ label: 'Your account' }]}>
      {memberId === undefined ? (
        <>
          <PageHead title="Your account" facts={<span>Local mode has no accounts</span>} />
          <LocalMode />
        </>
      ) : (
        <Account actor={{ ...actor, memberId }} />
      )}
      <Pane className="border-b-0" aria-labelledby="keyboard">
        <PaneHeader titleId="keyboard" title="Keyboard" />
        <KeyboardSettings />
      </Pane>
    </Page>
  );
}

async function Account({ actor }: { actor: Actor & { memberId: string } }) {
  const context = await getAppContext();
  const { database } = context;
  const [account, sessions, tokens] = await Promise.all([
    findMemberAccount(database.prisma, actor.memberId),
    listOwnSessions(context, actor),
    listApiTokens(database, { memberId: actor.memberId }),
  ]);
  return (
    <>
      <PageHead
        title="Your account"
        facts={
          <>
            <span>
              <b>{actor.role}</b>
            </span>
            <span className="wrap-anywhere">{account?.email}</span>
          </>
        }
      />
      <Columns className="medium:grid-cols-[minmax(0,1fr)_25rem]">
        <section className="min-w-0" aria-labelledby="sessions">
          <Pane className="border-b-0 pb-1">
            <PaneHeader
              titleId="sessions"
              title="Active sessions"
              note={sessionsNote(getRunningApp().environment.sessionDays)}
              className="m-0"
            />
          </Pane>
          <SessionList sessions={sessions.ok ? sessions.value.items : []} />
        </section>
        <div className="min-w-0">
          <Pane aria-labelledby="name">
            <PaneHeader titleId="name" title="Name" />
            <AccountName key={actor.name} name={actor.name} rename={renameMeAction} />
          </Pane>
          <Pane className="border-b-0" aria-labelledby="password">
            <PaneHeader titleId="password" title="Password" />
            <AccountPassword change={changeMyPasswordAction} />
          </Pane>
        </div>
      </Columns>
      <TokensPart
        tokens={tokens}
        address={getRunningApp().address}
        actions={{ make: makeMyTokenAction, revoke: revokeMyTokenAction }}
      />
    </>
  );
}

function sessionsNote(days: number): string {
  const unused = Math.min(UNUSED_SESSION_DAYS, days);
  return `A session ends after ${unused} ${unused === 1 ? 'day' : 'days'} without use, and at the latest ${days} ${days === 1 ? 'day' : 'days'} after sign-in.`;
}
