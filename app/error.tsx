'use client';

import { Page } from '#components/shell/page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';

/** What a person sees when a page breaks: what is safe, and what to do. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Page crumbs={[{ label: 'Problem' }]}>
      <section className="pane">
        <h1 className="mb-3">This page could not be made</h1>
        <Notice
          tone="worse"
          alert
          title="Something in Hone broke, not in what you did."
          actions={
            <Button size="small" onClick={reset}>
              Try again
            </Button>
          }
        >
          What is stored is safe, and runs go on. Should it stay so, the window in which Hone was started says more
          {error.digest ? (
            <>
              {' '}
              under <code>{error.digest}</code>
            </>
          ) : null}
          .
        </Notice>
      </section>
    </Page>
  );
}
