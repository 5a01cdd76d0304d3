'use client';

import { SunMoon } from 'lucide-react';
import { useTheme } from 'next-themes';
import { Button } from '#components/ui/button.tsx';

/** Switches between light and dark. Follows the system until it is first used. */
export function ThemeSwitch({ className, size }: { className?: string; size: 'icon' | 'smallIcon' }) {
  const { resolvedTheme, setTheme } = useTheme();
  return (
    <Button
      variant="ghost"
      size={size}
      className={className}
      aria-label="Switch between light and dark"
      title="Light or dark"
      onClick={() => setTheme(resolvedTheme === 'dark' ? 'light' : 'dark')}
    >
      <SunMoon className="size-4" />
    </Button>
  );
}
