import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { PythonPart, ReviewPart } from '#components/settings/switch-parts.tsx';
import { TokensPart } from '#components/settings/tokens-part.tsx';
import { WebhooksPart } from '#components/settings/webhooks-part.tsx';
import { ToolsPart } from '#components/tools/tools-part.tsx';
import { listApiTokens } from '#lib/auth/api-tokens.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { isTeamMode } from '#lib/auth/mode.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { getRunningApp } from '#lib/context/running-app.ts';
import { listTools } from '#lib/mcp-servers/mcp-tools.ts';
import { listMcpServers } from '#lib/mcp-servers/stored-mcp-servers.ts';
import { getPythonSetting } from '#lib/settings/python.ts';
import { getTwoPersonReview } from '#lib/settings/two-person-review.ts';
import { listDeliveries, listWebhooks } from '#lib/webhooks/queries.ts';
import { switchPythonAction, switchTwoPersonReviewAction } from './actions.ts';
import { makeApiTokenAction, revokeApiTokenAction } from './token-actions.ts';

const LATEST = 10;

export default async function SettingsPage() {
  await authorizePage('/settings');
  const context = await getAppContext();
  const [webhooks, servers, tools, tokens, python, twoPersonReview] = await Promise.all([
    listWebhooks(context),
    listMcpServers(context),
    listTools(context),
    listApiTokens(context.database),
    getPythonSetting(context),
    getTwoPersonReview(context),
  ]);
  const shown = await Promise.all(
    webhooks.map(async (webhook) => {
      const { items } = await listDeliveries(context.database, webhook.name, { cursor: null, limit: LATEST });
      return { ...webhook, deliveries: items };
    }),
  );
  return (
    <Page crumbs={[{ label: 'Settings', href: '/settings' }, { label: 'Webhooks and tools' }]}>
      <PageHead title="Webhooks and tools" />
      <SettingsTabs />
      <WebhooksPart webhooks={shown} />
      <ToolsPart
        builtIn={tools.filter(({ server }) => server === null)}
        servers={servers}
        commands={Object.keys(context.mcpCommands)}
      />
      {isTeamMode() ? null : (
        <TokensPart
          tokens={tokens}
          address={getRunningApp().address}
          actions={{ make: makeApiTokenAction, revoke: revokeApiTokenAction }}
        />
      )}
      {isTeamMode() ? <ReviewPart setting={twoPersonReview} turn={switchTwoPersonReviewAction} /> : null}
      <PythonPart setting={python} turn={switchPythonAction} />
    </Page>
  );
}
