import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { ConnectTarget } from '#components/targets/connect-target.tsx';
import { TargetList } from '#components/targets/target-list.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { getRunningApp } from '#lib/context/running-app.ts';
import { formatNumberOf } from '#lib/format.ts';
import { listTargets, shownTo } from '#lib/targets/list-targets.ts';

export default async function TargetsPage() {
  const actor = await authorizePage('/targets');
  const context = await getAppContext();
  const targets = (await listTargets(context)).map((one) => shownTo(actor, one));
  const { environment } = getRunningApp();
  return (
    <Page crumbs={[{ label: 'Targets' }]}>
      <PageHead
        title="Targets"
        facts={
          <span>
            {targets.length === 0 ? 'Your own apps in experiments' : formatNumberOf(targets.length, 'target')}
          </span>
        }
      />
      <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_30rem] border-b-0">
        <div className="min-w-0">
          <TargetList initial={targets} />
        </div>
        <div className="min-w-0">
          <Pane className="border-b-0">
            <PaneHeader title="Connect your app" />
            <ConnectTarget
              address={context.address}
              needsToken={environment.mode === 'team'}
              connected={targets.filter(({ workers }) => workers.length > 0).map(({ name }) => name)}
            />
          </Pane>
        </div>
      </Columns>
    </Page>
  );
}
