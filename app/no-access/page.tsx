import { type SearchParams, searchParam } from '#app/search-param.ts';
import { Page } from '#components/layout/page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { listOwnerNames } from '#lib/auth/members.ts';
import { ROLES, roleAllows } from '#lib/auth/role.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';

/** Page that proxy.ts serves with status 403 if a member's role does not permit the requested page. */
export default async function NoAccessPage({ searchParams }: { searchParams: SearchParams }) {
  const actor = await authorizePage('/no-access');
  const neededRole = searchParam((await searchParams).needs);
  const needed = ROLES.find((role) => role === neededRole);
  const owners = await listOwnerNames(getAppDatabase());
  // The role may have changed since the refusal.
  const isAllowed = roleAllows(actor.role, needed ?? 'owner');
  return (
    <Page crumbs={[{ label: 'No access' }]}>
      <Pane data-testid="no-access">
        <h1>{isAllowed ? 'You have access now' : 'You don’t have access to this page'}</h1>
        <p className="mt-1 mb-3 max-w-[60ch] text-ink-2">
          {isAllowed ? (
            `Your role is ${actor.role}. Open the page again.`
          ) : (
            <>
              {needed === undefined ? 'It requires another role.' : `It requires the role ${needed}.`} Your role is{' '}
              {actor.role}. {owners.length === 0 ? null : `Ask an owner to change it: ${owners.join(', ')}.`}
            </>
          )}
        </p>
        <Button asChild variant="primary">
          <Link href="/">Go to home</Link>
        </Button>
      </Pane>
    </Page>
  );
}
