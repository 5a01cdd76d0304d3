'use client';

import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { ThemeProvider } from 'next-themes';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useEffect, useState } from 'react';
import { RenderTimeContext, useFirstTouch } from '#components/ui/hydration.ts';
import { Toaster } from '#components/ui/toaster.tsx';
import { TIME_ZONE_COOKIE } from '#lib/auth/reader-time-zone.ts';
import { CommandCenter } from './command-center.tsx';
import { createQueryClient } from './create-query-client.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { OfflineGuard } from './offline-guard.tsx';
import { PageProgress } from './page-progress.tsx';

type AppProvidersProps = { nonce: string | undefined; renderTime: string; children: ReactNode };

/** Context providers of all pages. The content security policy requires the nonce for style elements. */
export function AppProviders({ nonce, renderTime, children }: AppProvidersProps) {
  const [queryClient] = useState(() => {
    if (nonce) setNonce(nonce);
    return createQueryClient();
  });
  const isTouched = useFirstTouch();
  useEffect(() => {
    // Available only on HTTPS and localhost. Without the cookie, the server renders times in UTC.
    if (!isTouched || !('cookieStore' in window)) return;
    // The first read of the time zone takes 90 ms on a phone. Only later pages need it, so it must not delay the first page.
    return whenIdle(() => {
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      void cookieStore.set({ name: TIME_ZONE_COOKIE, value: timeZone, sameSite: 'lax' });
    });
  }, [isTouched]);
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" enableColorScheme={false} {...(nonce ? { nonce } : {})}>
      <NuqsAdapter>
        <QueryClientProvider client={queryClient}>
          <PageProgress />
          <Toaster>
            <OfflineGuard />
            <LeaveGuard>
              <RenderTimeContext value={renderTime}>
                <CommandCenter>{children}</CommandCenter>
              </RenderTimeContext>
            </LeaveGuard>
          </Toaster>
        </QueryClientProvider>
      </NuqsAdapter>
    </ThemeProvider>
  );
}

/** Runs a callback when the browser is idle. Returns a function that cancels it. Safari has no `requestIdleCallback`. */
function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 1_000);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(run, { timeout: 2_000 });
  return () => cancelIdleCallback(idle);
}
