'use client';

import { useQuery } from '@tanstack/react-query';
import { Command, defaultFilter } from 'cmdk';
import {
  BookOpen,
  ChartSpline,
  CircleHelp,
  Database,
  FileSearch,
  FileText,
  Keyboard,
  ListChecks,
  type LucideIcon,
  Route,
  Search,
  SquareTerminal,
  SunMoon,
} from 'lucide-react';
import { useTheme } from 'next-themes';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { usePerson } from '#components/access/role-provider.tsx';
import { readApi } from '#components/api/call-api.ts';
import { useOpener } from '#components/ui/use-opener.ts';
import { useSettled } from '#components/ui/use-settled.ts';
import { FOUND_KINDS } from '#lib/search/found-kinds.ts';
import type { Found } from '#lib/search/schema.ts';
import { useLeave } from './leave-guard.tsx';
import { menuPagesOf } from './menu-pages.ts';
import { useGoTo } from './page-progress.tsx';

type CommandMenuProps = { open: boolean; onOpenChange: (open: boolean) => void; onKeys: () => void };

/** How each kind of thing is headed and drawn. */
const KINDS: Record<Found['kind'], { heading: string; Glyph: LucideIcon }> = {
  experiment: { heading: 'Experiments', Glyph: ChartSpline },
  prompt: { heading: 'Prompts', Glyph: SquareTerminal },
  dataset: { heading: 'Datasets', Glyph: Database },
  run: { heading: 'Runs', Glyph: Route },
  lesson: { heading: 'Lessons', Glyph: BookOpen },
  case: { heading: 'Cases', Glyph: ListChecks },
  output: { heading: 'Outputs', Glyph: FileText },
  doc: { heading: 'Docs', Glyph: CircleHelp },
};

/** Everything one can go to or do, found by typing: pages, actions, and what Hone keeps, by name and by text. */
export function CommandMenu({ open, onOpenChange, onKeys }: CommandMenuProps) {
  const goTo = useGoTo();
  const { remember, onCloseAutoFocus } = useOpener();
  const leave = useLeave();
  const person = usePerson();
  const { resolvedTheme, setTheme } = useTheme();
  const [search, setSearch] = useState('');
  const typed = search.trim().slice(0, 100);
  const asked = useSettled(typed, SETTLED_MS);
  const { data, isPending, isError, isPlaceholderData } = useQuery({
    queryKey: ['menu', asked],
    queryFn: ({ signal }) => readApi('GET /api/v1/find', { query: { q: asked }, signal }),
    enabled: open,
    placeholderData: (previous) => previous,
  });
  // Before that it would be the only choice, and stay chosen when a better one comes.
  const isSettled = isError || (data !== undefined && !isPlaceholderData && asked === typed);
  const { list, chosen, setChosen, onMove, onType } = useBestChoice(open, isSettled ? data : undefined);
  const pages = menuPagesOf(person.role);
  const places = pages.filter(({ find }) => find === undefined);
  const deeds = pages.filter(({ find }) => find !== undefined);
  function close() {
    onOpenChange(false);
    setSearch('');
  }
  function go(path: string) {
    close();
    leave(() => goTo(path));
  }
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => (isOpen ? onOpenChange(true) : close())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-ink/30 dark:bg-sunken/75" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={remember}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-3 border border-line-strong bg-surface shadow-pop"
        >
          <Radix.Title className="sr-only">Command menu</Radix.Title>
          <Command
            label="Command menu"
            loop
            filter={rank}
            value={chosen}
            onValueChange={setChosen}
            onKeyDown={({ key, ctrlKey }) => {
              if (ctrlKey || ['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key)) onMove();
            }}
            onPointerMove={onMove}
          >
            <div className="flex items-center gap-2.25 border-line border-b px-2.75 text-ink-3 focus-within:shadow-[inset_0_-2px_0_var(--brand)]">
              <Search className="size-3.25" aria-hidden />
              <Command.Input
                className="h-10 min-w-0 flex-1 text-base text-ink outline-none placeholder:text-ink-3"
                value={search}
                onValueChange={(next) => {
                  onType();
                  setSearch(next);
                }}
                placeholder="Search or go to"
              />
              <kbd>Esc</kbd>
            </div>
            <Command.List
              ref={list}
              label="Results"
              className="max-h-[min(26rem,60vh)] scroll-p-2 overflow-y-auto py-1 [&_[cmdk-group-heading]]:px-2.75 [&_[cmdk-group-heading]]:pt-1.5 [&_[cmdk-group-heading]]:pb-0.75 [&_[cmdk-group-heading]]:text-ink-3 [&_[cmdk-group-heading]]:text-sm"
            >
              <Command.Empty className="p-2.75 text-ink-2">
                {isPending
                  ? 'Searching'
                  : isError
                    ? 'Hone did not answer. Check that it is running.'
                    : 'No results. Try fewer or shorter words.'}
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
              {FOUND_KINDS.map((kind) => {
                const found = data?.items.filter((item) => item.kind === kind) ?? [];
                const { heading, Glyph } = KINDS[kind];
                if (found.length === 0) return null;
                return (
                  <Command.Group key={kind} heading={heading}>
                    {found.map(({ path, name, note }) => (
                      <Entry
                        key={path}
                        value={`${FOUND}${path}`}
                        keywords={[name]}
                        glyph={<Glyph className="size-3.25" aria-hidden />}
                        name={name}
                        note={note}
                        onSelect={() => go(path)}
                      />
                    ))}
                  </Command.Group>
                );
              })}
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

/** Chooses the best of the results when they come, unless the person has moved to another since they typed or opened the menu. */
function useBestChoice(open: boolean, results: object | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const hasMoved = useRef(false);
  const [chosen, setChosen] = useState('');
  useEffect(() => {
    if (open) return;
    hasMoved.current = false;
    setChosen('');
  }, [open]);
  useEffect(() => {
    if (!open || results === undefined || hasMoved.current) return;
    // The list sorts its entries once they are there.
    const frame = requestAnimationFrame(() => {
      const best = list.current?.querySelector('[cmdk-item]')?.getAttribute('data-value');
      if (best) setChosen(best);
    });
    return () => cancelAnimationFrame(frame);
  }, [open, results]);
  const moveTo = (moved: boolean) => () => {
    hasMoved.current = moved;
  };
  return { list, chosen, setChosen, onMove: moveTo(true), onType: moveTo(false) };
}

/** What is offered whatever is typed: after all that has a word of it in its name, before what only has its letters somewhere. */
const IN_OUTPUTS = 'Search outputs for these words';

/**
 * Begins the value of what the server found. It was looked for in texts too, so it is shown whatever its name is. Sections of the docs
 * come after pages and things of the same name.
 */
const FOUND = 'found ';

function rank(value: string, typed: string, keywords?: string[]): number {
  if (value === IN_OUTPUTS) return 0.02;
  if (value.startsWith(FOUND)) {
    const score = Math.max(0.05, defaultFilter(keywords?.[0] ?? '', typed));
    return value.startsWith(`${FOUND}/docs/`) ? score / 2 : score;
  }
  return defaultFilter(value, typed, keywords);
}

/** How long typing rests before it is looked for. */
const SETTLED_MS = 120;

type EntryProps = {
  value: string;
  keywords?: string[];
  glyph: ReactNode;
  name: string;
  note?: string;
  onSelect: () => void;
};

function Entry({ value, keywords = [], glyph, name, note, onSelect }: EntryProps) {
  return (
    <Command.Item
      value={value}
      keywords={keywords}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-2.25 px-2.75 py-[0.4rem] aria-selected:bg-brand-tint aria-selected:shadow-chosen"
    >
      {glyph}
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {note ? <span className="max-w-2/5 truncate text-ink-3 text-sm">{note}</span> : null}
    </Command.Item>
  );
}
