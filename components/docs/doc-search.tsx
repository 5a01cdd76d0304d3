'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiAnswer, readApi } from '#components/api/call-api.ts';
import { Input } from '#components/ui/field.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { useDebounced } from '#components/ui/timers.ts';

/** Full-text search over the documentation. */
export function DocSearch() {
  const [text, setText] = useState('');
  const query = useDebounced(text.trim(), 150);
  const { data, isError } = useQuery({
    queryKey: ['docs', query],
    queryFn: ({ signal }): Promise<ApiAnswer<'GET /api/v1/docs'>> =>
      readApi('GET /api/v1/docs', { query: { query }, signal }),
    enabled: query !== '',
    placeholderData: (previous) => previous,
  });
  return (
    <search>
      <Input
        type="search"
        aria-label="Search the documentation"
        placeholder="Search the docs"
        value={text}
        onValue={setText}
      />
      {query === '' ? null : (
        <div className="mt-2" aria-live="polite">
          {isError ? <p className="text-sm">Search failed. Check that Hone is running.</p> : null}
          {data?.items.length === 0 ? <p className="text-ink-2 text-sm">No page contains all these words.</p> : null}
          <ul className="space-y-2 text-sm">
            {data?.items.map(({ href, title, section, excerpt }) => (
              <li key={href}>
                <TextLink href={href}>{section === null ? title : `${title}: ${section}`}</TextLink>
                <p className="text-ink-2">{excerpt}</p>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  );
}
