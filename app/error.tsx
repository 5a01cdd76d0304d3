'use client';

import { Page } from '#components/shell/page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void };

/** What a person sees when a page breaks, or does what is not theirs: what is safe, and what to do. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  const refusal = refusalWords(error.digest);
  if (refusal !== null)
    return (
      <Page crumbs={[{ label: refusal.title }]}>
        <section className="pane" data-testid="refusal">
          <h1 className="mb-3">{refusal.title}</h1>
          <Notice
            tone="worse"
            alert
            actions={
              <Button size="small" onClick={reset}>
                Back to the page
              </Button>
            }
          >
            {refusal.text}
          </Notice>
        </section>
      </Page>
    );
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

/** By how lib/team names such an error: in production its own words don't reach the browser. */
function refusalWords(digest: string | undefined): { title: string; text: string } | null {
  switch (digest) {
    case 'HONE_FORBIDDEN':
      return {
        title: 'Not yours to do',
        text: 'Your role does not allow this, and nothing was changed. An owner can give you another role.',
      };
    case 'HONE_UNAUTHORIZED':
      return { title: 'Signed out', text: 'Your session has ended, and nothing was changed. Sign in again.' };
    case 'HONE_RATE_LIMITED':
      return { title: 'Too many tries', text: 'Nothing was changed. Wait some minutes, then try again.' };
    default:
      return null;
  }
}
