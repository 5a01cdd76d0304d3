'use client';

import { CircleHelp } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { PAGES, type PageRules } from '#lib/auth/pages.ts';
import { createRouter } from '#lib/http/find-route.ts';

const findPage = createRouter(Object.entries<PageRules>(PAGES).map(([path, { help }]) => ({ path, help })));

/** Link to the documentation of the current page. Renders nothing if there is none. */
export function HelpLink() {
  const help = findPage(usePathname())?.items[0]?.help ?? null;
  if (help === null) return null;
  const name = `Help: ${help.topic}`;
  return (
    <Button asChild variant="ghost" size="icon">
      <Link href={`/docs/${help.at}`} aria-label={name} title={name}>
        <CircleHelp className="size-4" />
      </Link>
    </Button>
  );
}
