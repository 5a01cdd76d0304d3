'use client';

import Form from 'next/form';
import { useState } from 'react';
import { RoleTextLink } from '#components/access/role-link.tsx';
import { address } from '#components/layout/pager.tsx';
import { TabBar } from '#components/layout/tab-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Combobox } from '#components/ui/combobox.tsx';
import { Input, Select } from '#components/ui/field.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { LESSON_KINDS, LESSON_SCOPE_PARTS, type LessonScopePart, TASK_TYPES } from '#lib/core/lesson-schema.ts';
import { formatCount } from '#lib/format.ts';
import { kindLabel } from './lesson-labels.ts';
import {
  isFiltered,
  type LibraryCounts,
  type LibraryTab,
  type LibraryView,
  libraryParams,
  TAB_LABELS,
  tabCount,
  tabsOf,
} from './library-view.ts';

/** Filters the library. `years`: the yearly archives. A plain form that works before hydration. Changing a select submits it. */
export function LibraryFilters({ view, years }: { view: LibraryView; years: readonly number[] }) {
  const [by, setBy] = useState<LessonScopePart | null>(view.by);
  const filteredTaskType = view.by === 'taskType' ? view.value : '';
  const [taskType, setTaskType] = useState(filteredTaskType);
  const scope = `${view.by} ${view.value}`;
  const [shownScope, setShownScope] = useState(scope);
  if (shownScope !== scope) {
    setShownScope(scope);
    setBy(view.by);
    setTaskType(filteredTaskType);
  }
  const send = ({ target }: { target: HTMLSelectElement }) => target.form?.requestSubmit();
  return (
    <Pane className="py-3">
      <Form action="/lessons" className="flex flex-wrap items-center gap-2" role="search" scroll={false}>
        {view.tab === 'all' ? null : <input type="hidden" name="tab" value={view.tab} />}
        <label className="sr-only" htmlFor="lesson-query">
          Search lessons
        </label>
        <Input
          id="lesson-query"
          name="q"
          type="search"
          className="min-w-0 max-w-88 flex-[1_1_12rem] max-narrow:max-w-none max-narrow:basis-full"
          placeholder="Words from the lesson or its source input"
          defaultValue={view.query}
        />
        <Select name="kind" className="w-auto" aria-label="Kind" defaultValue={view.kind ?? ''} onChange={send}>
          <option value="">Any kind</option>
          <Options of={LESSON_KINDS.map((kind) => [kind, kindLabel(kind)])} />
        </Select>
        <Select
          name="by"
          className="w-auto"
          aria-label="Scope"
          value={by ?? ''}
          onChange={(event) => {
            const next = LESSON_SCOPE_PARTS.find((part) => part === event.target.value) ?? null;
            setBy(next);
            setTaskType(filteredTaskType);
            if (next === null && view.by !== null) send(event);
          }}
        >
          <option value="">Any scope</option>
          <Options of={LESSON_SCOPE_PARTS.map((part) => [part, SCOPE_LABELS[part]])} />
        </Select>
        {by === null ? null : by === 'taskType' ? (
          <Combobox
            name="value"
            className="w-36"
            aria-label="Task type"
            placeholder="its name"
            options={TASK_TYPES}
            value={taskType}
            onChange={setTaskType}
          />
        ) : (
          <Input
            key={by}
            name="value"
            className="w-36"
            aria-label={by === 'agent' ? 'Name of the agent' : 'Name of the tool'}
            placeholder={by === 'agent' ? 'name, or * for all agents' : 'its name'}
            defaultValue={view.by === by ? view.value : ''}
          />
        )}
        {years.length === 0 ? null : (
          <Select name="year" className="w-auto" aria-label="Archive" defaultValue={view.year ?? ''} onChange={send}>
            <option value="">All archives</option>
            <Options of={years.map((year) => [year, `Archive ${year}`])} />
          </Select>
        )}
        <Select name="order" className="w-auto" aria-label="Order" defaultValue={view.order} onChange={send}>
          <option value="newest">Newest first</option>
          <option value="most_helpful">Most helpful first</option>
        </Select>
        <Button type="submit">Search</Button>
        {isFiltered(view) ? (
          <TextLink
            className="text-sm"
            href={address(
              '/lessons',
              libraryParams({ ...view, query: '', kind: null, by: null, value: '', year: null }),
            )}
          >
            Show all
          </TextLink>
        ) : null}
        <span className="ml-auto text-sm">
          <RoleTextLink needs="reviewer" href="/lessons/recall">
            Try recall
          </RoleTextLink>
        </span>
      </Form>
    </Pane>
  );
}

const SCOPE_LABELS: Record<LessonScopePart, string> = { agent: 'Agent', taskType: 'Task type', tool: 'Tool' };

/** Tabs of the library by status, each with its count. The other filters are kept. */
export function LibraryTabs({ counts, view }: { counts: LibraryCounts; view: LibraryView }) {
  return (
    <TabBar label="Status">
      {tabsOf(counts, view.tab).map((tab: LibraryTab) => (
        <Link
          key={tab}
          href={address('/lessons', libraryParams({ ...view, tab }))}
          aria-current={tab === view.tab ? 'page' : undefined}
          scroll={false}
        >
          {TAB_LABELS[tab]} <span className="font-medium text-ink-3 text-xs">{formatCount(tabCount(counts, tab))}</span>
        </Link>
      ))}
    </TabBar>
  );
}
