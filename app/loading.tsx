import { Page } from '#components/layout/page.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';

export default function Loading() {
  return (
    <Page crumbs={[{ label: 'Loading' }]}>
      <Skeleton label="Loading" rows={8} />
    </Page>
  );
}
