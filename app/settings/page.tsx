import { PythonPart } from '#components/settings/python-part.tsx';
import { WebhooksPart } from '#components/settings/webhooks-part.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { readPythonSwitch } from '#lib/runs/python-switch.ts';
import { listWebhooks } from '#lib/runs/webhooks/list-webhooks.ts';
import { authorize } from '#lib/team/authorize.ts';
import { addWebhook, changeWebhook, removeWebhook, switchPython, tryWebhook } from './actions.ts';

export default async function SettingsPage() {
  await authorize({ name: 'page /settings', role: 'owner' });
  const workshop = await getWorkshop();
  const [webhooks, python] = await Promise.all([listWebhooks(workshop), readPythonSwitch(workshop)]);
  return (
    <Page crumbs={[{ label: 'Settings' }]}>
      <PageHead title="Settings" facts={<span>of this installation</span>} />
      <WebhooksPart
        webhooks={webhooks}
        actions={{ add: addWebhook, change: changeWebhook, remove: removeWebhook, test: tryWebhook }}
      />
      <PythonPart setting={python} now={workshop.now().toISOString()} turn={switchPython} />
    </Page>
  );
}
