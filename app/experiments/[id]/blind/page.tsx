import { notFound } from 'next/navigation';
import { BlindReview } from '#components/blind/blind-review.tsx';
import { Page } from '#components/layout/page.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { findBlindPairs } from '#lib/blind-review/blind-review.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { readPageId } from '../../../read-page-id.ts';

/** Number of pairs sent with the page. The page fetches more as pairs are judged. */
const FIRST_PAIRS = 10;

export default async function BlindReviewPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await authorizePage('/experiments/{id}/blind');
  const id = await readPageId(params);
  const context = await getAppContext();
  const [experiment, pairs] = await Promise.all([
    findExperiment(context.database, id),
    findBlindPairs(context, actor, id, FIRST_PAIRS),
  ]);
  if (experiment === null || !pairs.ok) notFound();
  return (
    <Page
      crumbs={[
        { label: 'Experiments', href: '/experiments' },
        { label: experiment.name, href: `/experiments/${id}` },
        { label: 'Blind review' },
      ]}
      practice={isPractice(experiment.settings)}
    >
      <BlindReview experimentId={id} initial={pairs.value} />
    </Page>
  );
}
