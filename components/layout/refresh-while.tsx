'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Refreshes the page every `everyMs` while `isUnderWay` is true. */
export function RefreshWhile({ isUnderWay, everyMs = 2_000 }: { isUnderWay: boolean; everyMs?: number }) {
  const router = useRouter();
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [isUnderWay, everyMs, router]);
  return null;
}
