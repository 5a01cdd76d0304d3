'use client';

import { useEffect } from 'react';
import { useSignOut } from '#components/access/role-provider.tsx';

/**
 * For the sign-in, which nobody sees who is signed in: a frame around it that still is somebody's was left by a session that ended
 * meanwhile. Going from page to page does not draw it anew, loading the page does.
 */
export function FreshFrame() {
  const isStale = useSignOut() !== null;
  useEffect(() => {
    if (isStale) window.location.replace(window.location.href);
  }, [isStale]);
  return null;
}
