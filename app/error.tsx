'use client';

import { Page } from '#components/layout/page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { readRefusalDigest } from '#lib/auth/refusal-digest.ts';

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void };

/** What a person sees when a page breaks, or does what is not theirs: what is safe, and what to do. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  const refusal = refusalLabel(error);
  if (refusal !== null)
    return (
      <Page crumbs={[{ label: refusal.title }]}>
        <Pane data-testid="refusal">
          <h1 className="mb-3">{refusal.title}</h1>
          <Notice
            tone="worse"
            alert
            actions={
              refusal.isSignedOut ? (
                <Button size="small" asChild>
                  <a href="/sign-in">Sign in</a>
                </Button>
              ) : (
                <Button size="small" onClick={reset}>
                  Back to the page
                </Button>
              )
            }
          >
            {refusal.text}
          </Notice>
        </Pane>
      </Page>
    );
  return (
    <Page crumbs={[{ label: 'Problem' }]}>
      <Pane>
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
      </Pane>
    </Page>
  );
}

function refusalLabel(error: Error): { title: string; text: string; isSignedOut?: true } | null {
  switch (readRefusalDigest(error)?.kind) {
    case 'forbidden':
      return {
        title: 'Not yours to do',
        text: 'Your role does not allow this, and nothing was changed. An owner can give you another role.',
      };
    case 'unauthorized':
      return {
        title: 'Signed out',
        text: 'Your session has ended, and nothing was changed. Sign in again.',
        isSignedOut: true,
      };
    case 'rate_limited':
      return { title: 'Too many requests', text: 'Nothing was changed. Wait a minute, then try again.' };
    case undefined:
      return null;
  }
}
