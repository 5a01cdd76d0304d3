'use client';

import { useQuery } from '@tanstack/react-query';
import { Command, defaultFilter } from 'cmdk';
import { ChartSpline, FileSearch, Keyboard, Route, Search, SquareTerminal, SunMoon } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTheme } from 'next-themes';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { usePerson } from '#components/access/role-provider.tsx';
import { type ApiAnswer, readApi } from '#components/api/call-api.ts';
import { formatTitle } from '#lib/format.ts';
import { useLeave } from './leave-guard.tsx';
import { menuPagesOf } from './menu-pages.ts';

type CommandMenuProps = { open: boolean; onOpenChange: (open: boolean) => void; onKeys: () => void };

/** Everything one can go to or do, found by typing: pages, actions, experiments, prompts, the latest runs. */
export function CommandMenu({ open, onOpenChange, onKeys }: CommandMenuProps) {
  const router = useRouter();
  const leave = useLeave();
  const person = usePerson();
  const { resolvedTheme, setTheme } = useTheme();
  const [search, setSearch] = useState('');
  const { data, isPending, isError, isPlaceholderData } = useQuery({
    queryKey: ['menu', search.trim()],
    queryFn: ({ signal }) => fetchMenuEntries(search.trim(), signal),
    enabled: open,
    placeholderData: (previous) => previous,
  });
  // Before that it would be the only choice, and stay chosen when a better one comes.
  const isSettled = isError || (data !== undefined && !isPlaceholderData);
  const pages = menuPagesOf(person.role);
  const places = pages.filter(({ find }) => find === undefined);
  const deeds = pages.filter(({ find }) => find !== undefined);
  function close() {
    onOpenChange(false);
    setSearch('');
  }
  function go(path: string) {
    close();
    leave(() => router.push(path));
  }
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => (isOpen ? onOpenChange(true) : close())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-ink/30 dark:bg-sunken/75" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-3 border border-line-strong bg-surface shadow-pop"
        >
          <Radix.Title className="sr-only">Command menu</Radix.Title>
          <Command label="Command menu" loop filter={rank}>
            <div className="flex items-center gap-2.25 border-line border-b px-2.75 text-ink-3 focus-within:shadow-[inset_0_-2px_0_var(--brand)]">
              <Search className="size-3.25" aria-hidden />
              <Command.Input
                className="h-10 min-w-0 flex-1 text-base text-ink outline-none placeholder:text-ink-3"
                value={search}
                onValueChange={setSearch}
                placeholder="Search or go to"
              />
              <kbd>Esc</kbd>
            </div>
            <Command.List
              label="Results"
              className="max-h-[min(26rem,60vh)] scroll-p-2 overflow-y-auto py-1 [&_[cmdk-group-heading]]:px-2.75 [&_[cmdk-group-heading]]:pt-1.5 [&_[cmdk-group-heading]]:pb-0.75 [&_[cmdk-group-heading]]:text-ink-3 [&_[cmdk-group-heading]]:text-sm"
            >
              <Command.Empty className="p-2.75 text-ink-2">
                {isPending
                  ? 'Looking'
                  : isError
                    ? 'Hone did not answer. Check that it still runs.'
                    : 'Nothing of that name.'}
              </Command.Empty>
              <Command.Group heading="Go to">
                {places.map(({ path, name, Glyph }) => (
                  <Entry
                    key={path}
                    value={`go ${name}`}
                    glyph={<Glyph className="size-3.25" aria-hidden />}
                    name={name}
                    onSelect={() => go(path)}
                  />
                ))}
              </Command.Group>
              <Command.Group heading="Do">
                {deeds.map(({ path, name, find = name, Glyph }) => (
                  <Entry
                    key={path}
                    value={find}
                    glyph={<Glyph className="size-3.25" aria-hidden />}
                    name={name}
                    onSelect={() => go(path)}
                  />
                ))}
                <Entry
                  value="switch theme light dark"
                  glyph={<SunMoon className="size-3.25" aria-hidden />}
                  name={resolvedTheme === 'dark' ? 'Switch to light' : 'Switch to dark'}
                  onSelect={() => {
                    close();
                    setTheme(resolvedTheme === 'dark' ? 'light' : 'dark');
                  }}
                />
                <Entry
                  value="keys keyboard shortcuts"
                  glyph={<Keyboard className="size-3.25" aria-hidden />}
                  name="Show all keys"
                  onSelect={() => {
                    close();
                    onKeys();
                  }}
                />
              </Command.Group>
              {data && data.experiments.length > 0 ? (
                <Command.Group heading="Experiments">
                  {data.experiments.map(({ id, name, mode }) => (
                    <Entry
                      key={id}
                      value={`${name} ${id}`}
                      glyph={<ChartSpline className="size-3.25" aria-hidden />}
                      name={name}
                      note={mode}
                      onSelect={() => go(`/experiments/${id}`)}
                    />
                  ))}
                </Command.Group>
              ) : null}
              {data && data.prompts.length > 0 ? (
                <Command.Group heading="Prompts">
                  {data.prompts.map(({ name, latestVersion }) => (
                    <Entry
                      key={name}
                      value={`prompt ${name}`}
                      glyph={<SquareTerminal className="size-3.25" aria-hidden />}
                      name={name}
                      note={`v${latestVersion}`}
                      onSelect={() => go(`/prompts/${encodeURIComponent(name)}`)}
                    />
                  ))}
                </Command.Group>
              ) : null}
              {data && data.runs.length > 0 ? (
                <Command.Group heading="Latest runs">
                  {data.runs.map(({ id, number, input, status, experimentName }) => (
                    <Entry
                      key={id}
                      value={`${input} ${experimentName} ${number} ${id}`}
                      glyph={<Route className="size-3.25" aria-hidden />}
                      name={formatTitle(input, 70) || 'An empty case'}
                      note={status}
                      isWaiting={status === 'waiting'}
                      onSelect={() => go(`/runs/${id}`)}
                    />
                  ))}
                </Command.Group>
              ) : null}
              {isSettled && search.trim() !== '' ? (
                <Command.Group heading="In outputs">
                  <Entry
                    value={IN_OUTPUTS}
                    glyph={<FileSearch className="size-3.25" aria-hidden />}
                    name={`Search in outputs for ${search.trim()}`}
                    onSelect={() => go(`/search?${new URLSearchParams({ q: search.trim() })}`)}
                  />
                </Command.Group>
              ) : null}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** What is offered whatever is typed: after all that has a word of it in its name, before what only has its letters somewhere. */
const IN_OUTPUTS = 'search in outputs for these words';

function rank(value: string, typed: string, keywords?: string[]): number {
  return value === IN_OUTPUTS ? 0.05 : defaultFilter(value, typed, keywords);
}

type EntryProps = {
  value: string;
  glyph: ReactNode;
  name: string;
  note?: string;
  isWaiting?: boolean;
  onSelect: () => void;
};

function Entry({ value, glyph, name, note, isWaiting = false, onSelect }: EntryProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-2.25 px-2.75 py-[0.4rem] aria-selected:bg-brand-tint aria-selected:shadow-chosen"
    >
      {glyph}
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {note ? <span className={isWaiting ? 'text-sm text-wait' : 'text-ink-3 text-sm'}>{note}</span> : null}
    </Command.Item>
  );
}

/** What the command menu offers beside pages and actions: experiments and prompts with `search` in their name, and the latest runs. */
type MenuEntries = {
  experiments: Pick<ApiAnswer<'GET /api/v1/experiments'>['items'][number], 'id' | 'name' | 'mode'>[];
  prompts: Pick<ApiAnswer<'GET /api/v1/prompts'>['items'][number], 'name' | 'latestVersion'>[];
  runs: Pick<ApiAnswer<'GET /api/v1/runs'>['items'][number], 'id' | 'number' | 'input' | 'status' | 'experimentName'>[];
};

/** Throws when the app does not answer. */
async function fetchMenuEntries(text: string, signal: AbortSignal): Promise<MenuEntries> {
  const query = { limit: 8, search: text === '' ? null : text.slice(0, 100) };
  const [experiments, prompts, runs] = await Promise.all([
    readApi('GET /api/v1/experiments', { query, signal }),
    readApi('GET /api/v1/prompts', { query, signal }),
    readApi('GET /api/v1/runs', { query: { limit: 20 }, signal }),
  ]);
  return { experiments: experiments.items, prompts: prompts.items, runs: runs.items };
}
