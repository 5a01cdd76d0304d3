'use client';

import { Bookmark, BookmarkX } from 'lucide-react';
import Form from 'next/form';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { address } from '#components/layout/pager.tsx';
import { TabBar } from '#components/layout/tab-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Options } from '#components/ui/options.tsx';
import { SegmentedLinks } from '#components/ui/segmented-links.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Result } from '#lib/core/problem.ts';
import { MODES } from '#lib/core/setting-choices.ts';
import { EXPERIMENT_SORTS, type ExperimentMode, type ExperimentSort, ORIGIN_CHOICES } from '#lib/experiments/schema.ts';
import { formatCount } from '#lib/format.ts';
import type { SavedView } from '#lib/views/saved-views.ts';
import { type ExperimentsView, experimentsParams, experimentsQuery, isListFiltered } from './experiments-view.ts';
import { originLabel } from './origin-badges.tsx';

type ExperimentsFiltersProps = {
  view: ExperimentsView;
  modes: Readonly<Record<ExperimentMode, number>>;
  /** Names of the models that write drafts. */
  models: readonly string[];
};

/** Filters and sorts the experiments. A plain form that works before hydration. Changing a select submits it. */
export function ExperimentsFilters({ view, modes, models }: ExperimentsFiltersProps) {
  const send = ({ target }: { target: HTMLSelectElement }) => target.form?.requestSubmit();
  const select = 'w-auto max-w-56 min-w-0';
  const offered = MODES.filter((mode) => modes[mode] > 0 || mode === view.mode);
  return (
    <Form
      action="/experiments"
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-narrow:basis-full"
      role="search"
      scroll={false}
    >
      {view.state === null ? null : <input type="hidden" name="state" value={view.state} />}
      {view.mode === null ? null : <input type="hidden" name="mode" value={view.mode} />}
      <label className="sr-only" htmlFor="q">
        Search experiments by name
      </label>
      <Input
        id="q"
        name="q"
        className="min-w-32 max-w-64 flex-1"
        type="search"
        placeholder="Experiment name"
        defaultValue={view.search}
      />
      <Button type="submit">Search</Button>
      {offered.length === 0 ? null : (
        <SegmentedLinks aria-label="Mode">
          <ModeLink view={view} mode={null} label="Any mode" />
          {offered.map((mode) => (
            <ModeLink key={mode} view={view} mode={mode} label={`${mode} ${modes[mode]}`} />
          ))}
        </SegmentedLinks>
      )}
      <Select name="model" className={select} aria-label="Model" defaultValue={view.model ?? ''} onChange={send}>
        <option value="">Any model</option>
        <Options of={[...new Set([...models, ...(view.model === null ? [] : [view.model])])]} />
      </Select>
      <Select name="models" className={select} aria-label="Data" defaultValue={view.models ?? ''} onChange={send}>
        <option value="">Real and practice</option>
        <option value="real">Real models</option>
        <option value="practice">Practice data</option>
      </Select>
      <Select name="origin" className={select} aria-label="Origin" defaultValue={view.origin ?? ''} onChange={send}>
        <option value="">Any origin</option>
        <Options
          of={ORIGIN_CHOICES.map((origin) => [origin, origin === 'sample' ? 'sample' : originLabel(origin, null)])}
        />
      </Select>
      <Select
        name="sort"
        className={select}
        aria-label="Order"
        defaultValue={view.sort === 'newest' ? '' : view.sort}
        onChange={send}
      >
        <Options of={EXPERIMENT_SORTS.map((sort) => [sort === 'newest' ? '' : sort, SORT_LABELS[sort]])} />
      </Select>
      {isListFiltered(view) ? (
        <TextLink className="text-sm" href="/experiments">
          Show all
        </TextLink>
      ) : null}
    </Form>
  );
}

function ModeLink({ view, mode, label }: { view: ExperimentsView; mode: ExperimentMode | null; label: string }) {
  return (
    <Link
      href={address('/experiments', experimentsParams({ ...view, mode }))}
      aria-current={view.mode === mode ? 'true' : undefined}
      scroll={false}
    >
      {label}
    </Link>
  );
}

const SORT_LABELS: Record<ExperimentSort, string> = {
  newest: 'Newest first',
  needs_you: 'Needs review first',
  last_run: 'Last run first',
  success: 'Highest success first',
  best_score: 'Highest best score first',
  cost_per_point: 'Lowest cost per point first',
  name: 'By name',
};

type SaveViewProps = {
  query: string;
  /** Saved view with this query. Null if there is none. */
  savedView: SavedView | null;
  save: (input: unknown) => Promise<Result<unknown>>;
  remove: (id: string) => Promise<Result<unknown>>;
};

/** Saves the current filters as a named view, or deletes the open view. */
export function SaveView({ query, savedView, save, remove }: SaveViewProps) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const toast = useToast();
  const { isBusy, problem, submit, submitWithToast } = useSubmit('Hone did not respond. Nothing was changed.');

  function keep() {
    submit(save({ page: 'experiments', name, query }), () => {
      toast(`Saved as ${name.trim()}`);
      setOpen(false);
      setName('');
    });
  }

  if (savedView !== null)
    return (
      <RoleButton
        needs="reviewer"
        variant="ghost"
        disabled={isBusy}
        onClick={() => submitWithToast(remove(savedView.id), `Removed ${savedView.name}`)}
      >
        <BookmarkX />
        Remove view
      </RoleButton>
    );
  return (
    <>
      <RoleButton needs="reviewer" variant="ghost" onClick={() => setOpen(true)}>
        <Bookmark />
        Save view
      </RoleButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Save view"
        description="Saves the search, filters and sort order as a tab that only you see."
      >
        <SubmitForm className="flex flex-col gap-3" onSubmit={keep}>
          <Field label="View name" error={problem?.message ?? null}>
            <Input value={name} maxLength={40} onValue={setName} />
          </Field>
          <DialogFoot action="Save" busy="Saving" isBusy={isBusy} onCancel={() => setOpen(false)} />
        </SubmitForm>
      </Dialog>
    </>
  );
}

type ExperimentsTabsProps = { view: ExperimentsView; total: number; waiting: number; savedViews: readonly SavedView[] };

/** Tabs for all experiments, those that need attention, and saved views. */
export function ExperimentsTabs({ view, total, waiting, savedViews }: ExperimentsTabsProps) {
  const query = experimentsQuery(view);
  const tabs = [
    { key: 'all', name: 'All', query: '', count: total },
    { key: 'waiting', name: 'Waiting for a reviewer', query: 'state=waiting', count: waiting },
    { key: 'under_way', name: 'In progress', query: 'state=under_way', count: null },
    { key: 'flagged', name: 'Needs attention', query: 'state=flagged', count: null },
  ];
  return (
    <TabBar label="Views">
      {tabs.map((tab) => (
        <Link key={tab.key} href={hrefOf(tab.query)} aria-current={tab.query === query ? 'page' : undefined}>
          {tab.name}{' '}
          {tab.count === null ? null : <span className="font-medium text-ink-3 text-xs">{formatCount(tab.count)}</span>}
        </Link>
      ))}
      {savedViews.map((tab) => (
        <Link key={tab.id} href={hrefOf(tab.query)} aria-current={tab.query === query ? 'page' : undefined}>
          <Bookmark />
          {tab.name}
        </Link>
      ))}
    </TabBar>
  );
}

function hrefOf(query: string): string {
  return query === '' ? '/experiments' : `/experiments?${query}`;
}
