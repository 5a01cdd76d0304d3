import Link from 'next/link';
import { Page } from '#components/layout/page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Pane } from '#components/ui/pane.tsx';

export default function NotFound() {
  return (
    <Page crumbs={[{ label: 'Not found' }]}>
      <Pane>
        <h1>Nothing is stored under this address</h1>
        <p className="mt-1 mb-3 max-w-[60ch] text-ink-2">
          It was deleted, or the address is not complete. Everything else is where it was.
        </p>
        <Button asChild variant="primary">
          <Link href="/experiments">See all experiments</Link>
        </Button>
      </Pane>
    </Page>
  );
}
