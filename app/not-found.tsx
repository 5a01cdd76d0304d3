import { Page } from '#components/layout/page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';

export default function NotFound() {
  return (
    <Page crumbs={[{ label: 'Not found' }]}>
      <Pane>
        <h1>Page not found</h1>
        <p className="mt-1 mb-3 max-w-[60ch] text-ink-2">
          It may have been deleted, or the URL is incomplete. Check the URL.
        </p>
        <Button asChild variant="primary">
          <Link href="/experiments">View experiments</Link>
        </Button>
      </Pane>
    </Page>
  );
}
