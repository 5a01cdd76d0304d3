'use client';

import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
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
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePerson } from '#components/access/role-provider.tsx';
import { readApi } from '#components/api/call-api.ts';
import { useOpener } from '#components/ui/modal-dialog.tsx';
import { useDebounced } from '#components/ui/timers.ts';
import type { Found } from '#lib/search/find-anything.ts';
import { FOUND_KINDS } from '#lib/search/found-kinds.ts';
import { useLeave } from './leave-guard.tsx';
import { menuPagesOf } from './menu-pages.ts';
import { type MenuEntry, type MenuGroup, rankGroups } from './menu-ranking.ts';
import { useGoTo } from './page-progress.tsx';

type CommandMenuProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onKeys: () => void;
  /** Returns the text typed before the menu was rendered. */
  takeTyped: () => string;
};

/** Heading and icon of each kind of result. */
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

/** Command menu: searches pages, actions and stored objects, by name and by text. */
export function CommandMenu({ open, onOpenChange, onKeys, takeTyped }: CommandMenuProps) {
  const goTo = useGoTo();
  const { remember, onCloseAutoFocus } = useOpener();
  const leave = useLeave();
  const [search, setSearch] = useState('');
  useEffect(() => setSearch(takeTyped()), [takeTyped]);
  const typed = search.trim().slice(0, 100);
  const debounced = useDebounced(typed, SEARCH_DEBOUNCE_MS);
  const { data, isPending, isError, isPlaceholderData } = useQuery({
    queryKey: ['menu', debounced],
    queryFn: ({ signal }) => readApi('GET /api/v1/find', { query: { q: debounced }, signal }),
    enabled: open,
    placeholderData: (previous) => previous,
  });
  const isSettled = isError || (data !== undefined && !isPlaceholderData && debounced === typed);
  function close() {
    onOpenChange(false);
    setSearch('');
  }
  function go(path: string) {
    close();
    leave(() => goTo(path));
  }
  const groups = [
    ...useMenuGroups({ go, close, onKeys }),
    ...foundGroups(data?.items ?? [], go),
    // Before results arrive it would be the only choice, and Enter would open it instead of a result.
    outputsGroup(isSettled ? typed : '', go),
  ];
  const shown = rankGroups(groups, typed);
  const choice = useBestChoice(
    open,
    shown.flatMap(({ entries }) => entries.map(({ value }) => value)),
  );
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
            shouldFilter={false}
            value={choice.value}
            onValueChange={choice.onValueChange}
            onKeyDown={({ ctrlKey, key }) => {
              if (ctrlKey || MOVING_KEYS.has(key)) choice.onMove();
            }}
            onPointerMoveCapture={choice.onMove}
          >
            <div className="flex items-center gap-2.25 border-line border-b px-2.75 text-ink-3 focus-within:shadow-[inset_0_-2px_0_var(--brand)]">
              <Search />
              <Command.Input
                className="h-10 min-w-0 flex-1 text-base text-ink outline-none placeholder:text-ink-3"
                value={search}
                onValueChange={(next) => {
                  choice.onType();
                  setSearch(next);
                }}
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
                  ? 'Searching'
                  : isError
                    ? 'Hone did not respond. Check that it is running.'
                    : 'No results. Try fewer or shorter words.'}
              </Command.Empty>
              {shown.map(({ heading, entries }) => (
                <Command.Group key={heading} heading={heading}>
                  {entries.map((entry) => (
                    <Entry key={entry.value} {...entry} />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type Go = (path: string) => void;
type MenuActions = { go: Go; close: () => void; onKeys: () => void };

function useMenuGroups({ go, close, onKeys }: MenuActions): MenuGroup<Choice>[] {
  const person = usePerson();
  const { resolvedTheme, setTheme } = useTheme();
  const isDark = resolvedTheme === 'dark';
  const pages = menuPagesOf(person.role);
  return [
    {
      heading: 'Go to',
      entries: pages
        .filter(({ find }) => find === undefined)
        .map(({ path, name, Glyph }) => ({
          value: `go ${path}`,
          name,
          find: `go to ${name}`,
          Glyph,
          onSelect: () => go(path),
        })),
    },
    {
      heading: 'Do',
      entries: [
        ...pages
          .filter(({ find }) => find !== undefined)
          .map(({ path, name, find, Glyph }) => ({ value: `do ${path}`, name, find, Glyph, onSelect: () => go(path) })),
        {
          value: 'switch theme',
          name: isDark ? 'Switch to light' : 'Switch to dark',
          find: 'switch theme light dark',
          Glyph: SunMoon,
          onSelect: () => {
            close();
            setTheme(isDark ? 'light' : 'dark');
          },
        },
        {
          value: 'show keys',
          name: 'Show all keys',
          find: 'keys keyboard shortcuts',
          Glyph: Keyboard,
          onSelect: () => {
            close();
            onKeys();
          },
        },
      ],
    },
  ];
}

/** Groups search results by kind. */
function foundGroups(items: readonly Found[], go: Go): MenuGroup<Choice>[] {
  return FOUND_KINDS.map((kind) => ({
    heading: KINDS[kind].heading,
    entries: items
      .filter((item) => item.kind === kind)
      .map(({ path, name, note }) => ({
        value: `found ${path}`,
        name,
        note,
        least: MIN_FULL_TEXT_RANK,
        weight: kind === 'doc' ? DOC_WEIGHT : 1,
        Glyph: KINDS[kind].Glyph,
        onSelect: () => go(path),
      })),
  }));
}

/** Returns the search for `text` in outputs. Empty without a text. */
function outputsGroup(text: string, go: Go): MenuGroup<Choice> {
  return {
    heading: 'In outputs',
    entries:
      text !== ''
        ? [
            {
              value: 'search outputs',
              name: `Search in outputs for ${text}`,
              least: 1,
              weight: OUTPUTS_WEIGHT,
              Glyph: FileSearch,
              onSelect: () => go(`/search?${new URLSearchParams({ q: text })}`),
            },
          ]
        : [],
  };
}

/** Selects the first shown entry, unless the user has moved the selection since typing or opening the menu. */
function useBestChoice(open: boolean, values: readonly string[]) {
  // The list reports every change of its selection, including those not made by the user.
  const isMoving = useRef(false);
  const [moved, setMoved] = useState<string | null>(null);
  const reset = useCallback(() => {
    isMoving.current = false;
    setMoved(null);
  }, []);
  useEffect(() => {
    if (!open) reset();
  }, [open, reset]);
  return {
    value: moved !== null && values.includes(moved) ? moved : (values[0] ?? ''),
    onValueChange: (value: string) => {
      if (isMoving.current) setMoved(value);
    },
    onMove: () => {
      isMoving.current = true;
    },
    onType: reset,
  };
}

const MOVING_KEYS = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

/** Minimum rank of full-text results. They are shown regardless of their name. */
const MIN_FULL_TEXT_RANK = 0.05;

/** Rank of the search in outputs. It is always shown, after all results but before weak name matches. */
const OUTPUTS_WEIGHT = 0.02;

/** Weight that ranks documentation sections after pages and objects of the same name. */
const DOC_WEIGHT = 0.5;

/** Debounce of the search, in milliseconds. */
const SEARCH_DEBOUNCE_MS = 120;

type Choice = MenuEntry & { note?: string; Glyph: LucideIcon; onSelect: () => void };

function Entry({ value, name, note, Glyph, onSelect }: Choice) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-2.25 px-2.75 py-[0.4rem] aria-selected:bg-brand-tint aria-selected:shadow-chosen"
    >
      <Glyph />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {note ? <span className="max-w-2/5 truncate text-ink-3 text-sm">{note}</span> : null}
    </Command.Item>
  );
}
