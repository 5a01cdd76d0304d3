import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { recallInput } from '#components/lessons/recall-input.ts';
import { TryRecall } from '#components/lessons/try-recall.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { tryRecall } from '#lib/lessons/recall-lessons.ts';
import { type SearchParams, searchParam } from '../../search-param.ts';

export default async function TryRecallPage({ searchParams }: { searchParams: SearchParams }) {
  const actor = await authorizePage('/lessons/recall');
  const params = await searchParams;
  const paramOf = (name: string, fallback = '') => searchParam(params[name]) ?? fallback;
  const input = paramOf('input');
  const question = { input, agent: paramOf('agent'), taskType: paramOf('taskType'), topK: paramOf('topK', '3') };
  const initial = input === '' ? null : await tryRecall(await getAppContext(), actor, recallInput(question));
  return (
    <Page crumbs={[{ label: 'Lessons', href: '/lessons' }, { label: 'Try recall' }]}>
      <PageHead
        title="Try recall"
        facts={<span>Shows which lessons a run with this input would recall, and how they appear in the prompt.</span>}
      />
      <TryRecall initial={initial} />
    </Page>
  );
}
