import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { NewPromptForm } from '#components/prompts/new-prompt-form.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { listDatasets } from '#lib/datasets/queries.ts';
import { createPromptAction } from '../actions.ts';

export default async function NewPromptPage() {
  await authorizePage('/prompts/new');
  const { database } = await getAppContext();
  const { items } = await listDatasets(database, { cursor: null, limit: 100 });
  return (
    <Page crumbs={[{ label: 'Prompts', href: '/prompts' }, { label: 'New' }]}>
      <PageHead title="New prompt" facts={<span>It is saved as version 1; later versions stand beside it.</span>} />
      <Pane className="border-b-0">
        <NewPromptForm datasets={items} save={createPromptAction} />
      </Pane>
    </Page>
  );
}
