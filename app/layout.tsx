import type { Metadata } from 'next';
import localFont from 'next/font/local';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { RoleProvider } from '#components/access/role-provider.tsx';
import { AppProviders } from '#components/layout/app-providers.tsx';
import { SideBar } from '#components/layout/side-bar.tsx';
import { findPerson } from '#lib/auth/find-person.ts';
import { isLocalOwner } from '#lib/auth/mode.ts';
import { isJoinPath, PATH_HEADER } from '#lib/auth/sign-in/sign-in-path.ts';
import './globals.css';
import { signOutAction } from './sign-in/actions.ts';

/** Preloaded on every page. Contains English letters and UI symbols. See `fonts/README.md` for how they are built. */
const latin = localFont({
  src: './fonts/geist-latin.woff2',
  variable: '--font-geist-latin',
  weight: '400 700',
  adjustFontFallback: false,
});
const monoLatin = localFont({
  src: './fonts/geist-mono-latin.woff2',
  variable: '--font-geist-mono-latin',
  weight: '400 700',
  adjustFontFallback: false,
});
/** Loaded only by pages that contain other characters. U+2318 (⌘) is in neither font. */
const others = localFont({
  src: '../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2',
  variable: '--font-geist',
  weight: '100 900',
  preload: false,
  declarations: [{ prop: 'unicode-range', value: 'U+100-1FFF, U+2070-218F' }],
});
const monoOthers = localFont({
  src: '../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
  declarations: [{ prop: 'unicode-range', value: 'U+100-1FFF, U+2070-2317, U+2319-259F' }],
});
const FONTS = [latin, monoLatin, others, monoOthers].map(({ variable }) => variable).join(' ');

export const metadata: Metadata = {
  description: 'A workbench for reflection experiments',
};

/** Root layout. Users who are not signed in see the public pages without the sidebar. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const sent = await headers();
  const nonce = sent.get('x-nonce') ?? undefined;
  // A join link may sign in as a different person, so the current one is ignored.
  const person = isJoinPath(sent.get(PATH_HEADER)) ? null : await findPerson();
  const isMember = person !== null && !isLocalOwner(person);
  return (
    <html lang="en" suppressHydrationWarning className={FONTS}>
      <body>
        <RoleProvider
          person={person && { id: person.id, name: person.name, role: person.role, isLocal: !isMember }}
          signOut={isMember ? signOutAction : null}
        >
          <AppProviders nonce={nonce} renderTime={new Date().toISOString()}>
            <a className="absolute top-2 -left-[999px] z-30 bg-surface px-3 py-2 focus:left-2" href="#content">
              Skip to the content
            </a>
            {person === null ? (
              children
            ) : (
              <div className="grid min-h-screen grid-cols-1 narrow:grid-cols-[3.5rem_minmax(0,1fr)] labelled:grid-cols-[13rem_minmax(0,1fr)] print:block">
                <SideBar />
                {children}
              </div>
            )}
          </AppProviders>
        </RoleProvider>
      </body>
    </html>
  );
}
