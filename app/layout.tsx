import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '#components/shell/providers.tsx';
import { SideBar } from '#components/shell/side-bar.tsx';
import './globals.css';

export const metadata: Metadata = {
  description: 'A workbench for reflection experiments',
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <Providers nonce={nonce}>
          <a className="skip" href="#content">
            Skip to the content
          </a>
          <div className="app">
            <SideBar userName="Local owner" />
            {children}
          </div>
        </Providers>
      </body>
    </html>
  );
}
