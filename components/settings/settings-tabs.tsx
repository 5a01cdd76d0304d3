'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { usePerson } from '#components/access/role-provider.tsx';
import { TabBar } from '#components/layout/tab-bar.tsx';
import { type Role, roleAllows } from '#lib/auth/role.ts';

const TABS: { href: string; name: string; needs: Role }[] = [
  { href: '/models', name: 'Models', needs: 'viewer' },
  { href: '/settings', name: 'Webhooks and tools', needs: 'owner' },
  { href: '/settings/team', name: 'Team', needs: 'owner' },
  { href: '/settings/audit', name: 'Audit log', needs: 'owner' },
  { href: '/settings/backup', name: 'Backup', needs: 'owner' },
];

/** The pages of the settings, of what one's role may open; nothing where that is only one. */
export function SettingsTabs() {
  const path = usePathname();
  const { role } = usePerson();
  const tabs = TABS.filter(({ needs }) => roleAllows(role, needs));
  if (tabs.length < 2) return null;
  return (
    <TabBar label="Settings">
      {tabs.map(({ href, name }) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </TabBar>
  );
}
