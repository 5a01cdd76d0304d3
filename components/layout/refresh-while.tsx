'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useTransition } from 'react';

/**
 * Refreshes the page every `everyMs` while `isUnderWay` is true. A slow refresh delays the next one: React shows a refresh only if no other
 * one is pending.
 */
export function RefreshWhile({ isUnderWay, everyMs = 2_000 }: { isUnderWay: boolean; everyMs?: number }) {
  const router = useRouter();
  const [isRefreshing, startRefreshing] = useTransition();
  const isWaiting = isUnderWay && !isRefreshing;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') startRefreshing(router.refresh);
    }, everyMs);
    return () => clearInterval(timer);
  }, [isWaiting, everyMs, router]);
  return null;
}
