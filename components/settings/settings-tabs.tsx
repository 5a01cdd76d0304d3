'use client';

import { usePathname } from 'next/navigation';
import { usePerson } from '#components/access/role-provider.tsx';
import { navigationOf } from '#components/layout/menu-pages.ts';
import { TabBar } from '#components/layout/tab-bar.tsx';
import { Link } from '#components/ui/link.tsx';

/** Tabs of the settings pages available to the user's role. Hidden if only one is available. */
export function SettingsTabs() {
  const path = usePathname();
  const { role } = usePerson();
  const tabs = navigationOf(role).find(({ group }) => group === 'settings')?.pages ?? [];
  if (tabs.length < 2) return null;
  return (
    <TabBar label="Settings">
      {tabs.map((tab) => (
        <Link key={tab.path} href={tab.path} aria-current={path === tab.path ? 'page' : undefined}>
          {tab.name}
        </Link>
      ))}
    </TabBar>
  );
}
