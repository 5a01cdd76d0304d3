'use client';

import { isOutdatedPage, OUTDATED_PAGE } from '#components/access/outdated-page.ts';
import { Page } from '#components/layout/page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { readRefusalDigest } from '#lib/auth/refusal-digest.ts';

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void };

/** Error page for a failed render or a denied permission. Shows what is safe and what to do next. */
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
                  Back to page
                </Button>
              )
            }
          >
            {refusal.text}
          </Notice>
        </Pane>
      </Page>
    );
  if (isOutdatedPage(error))
    return (
      <Page crumbs={[{ label: 'Update' }]}>
        <Pane data-testid="outdated">
          <h1 className="mb-3">Reload this page</h1>
          <Notice
            tone="worse"
            alert
            actions={
              <Button size="small" onClick={() => window.location.reload()}>
                Reload
              </Button>
            }
          >
            {OUTDATED_PAGE}
          </Notice>
        </Pane>
      </Page>
    );
  return (
    <Page crumbs={[{ label: 'Problem' }]}>
      <Pane>
        <h1 className="mb-3">This page failed to load</h1>
        <Notice
          tone="worse"
          alert
          title="Hone had an internal error"
          actions={
            <Button size="small" onClick={reset}>
              Try again
            </Button>
          }
        >
          Stored data is safe, and runs continue. If this happens again, look in the log of Hone
          {error.digest ? (
            <>
              {' '}
              for <code>{error.digest}</code>
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
        title: 'You don’t have permission',
        text: 'Your role does not allow this, and nothing was changed. Ask an owner for another role.',
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
