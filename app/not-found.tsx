import Link from 'next/link';
import { Page } from '#components/shell/page.tsx';
import { Button } from '#components/ui/button.tsx';

export default function NotFound() {
  return (
    <Page crumbs={[{ label: 'Not found' }]}>
      <section className="pane">
        <h1>Nothing is stored under this address</h1>
        <p className="muted mt-1 mb-3 max-w-[60ch]">
          It was deleted, or the address is not complete. Everything else is where it was.
        </p>
        <Button asChild variant="primary">
          <Link href="/experiments">See all experiments</Link>
        </Button>
      </section>
    </Page>
  );
}
