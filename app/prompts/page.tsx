import { Plus } from 'lucide-react';
import Form from 'next/form';
import { RoleLink } from '#components/access/role-link.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { Pager } from '#components/layout/pager.tsx';
import { ImportPrompt } from '#components/prompts/import-prompt.tsx';
import { PromptTable } from '#components/prompts/prompt-table.tsx';
import { Button } from '#components/ui/button.tsx';
import { Input } from '#components/ui/field.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { listPrompts } from '#lib/prompts/queries.ts';
import { lastScores } from '#lib/prompts/score-prompt-versions.ts';
import { type SearchParams, searchParam } from '../search-param.ts';

const PAGE_SIZE = 50;

export default async function PromptsPage({ searchParams }: { searchParams: SearchParams }) {
  await authorizePage('/prompts');
  const params = await searchParams;
  const search = searchParam(params.q)?.trim().slice(0, 200) || null;
  const cursor = searchParam(params.cursor);
  const context = await getAppContext();
  const { items, nextCursor } = await listPrompts(context.database, { search }, { cursor, limit: PAGE_SIZE });
  const scores = await lastScores(context, items);
  const isEmpty = items.length === 0 && search === null && cursor === null;
  return (
    <Page crumbs={[{ label: 'Prompts' }]}>
      <PageHead
        title="Prompts"
        facts={<span>Programs request a prompt by label and get the version with that label.</span>}
        actions={
          <>
            <ImportPrompt />
            {isEmpty ? null : (
              <RoleLink needs="editor" variant="primary" href="/prompts/new">
                <Plus />
                New prompt
              </RoleLink>
            )}
          </>
        }
      />
      {isEmpty ? null : <Search search={search} />}
      {items.length > 0 ? <PromptTable prompts={items} scores={scores} /> : <Empty search={search} isEmpty={isEmpty} />}
      <Pager path="/prompts" params={{ q: search }} cursor={cursor} nextCursor={nextCursor} />
    </Page>
  );
}

/** A plain form, so that search works before hydration. */
function Search({ search }: { search: string | null }) {
  return (
    <Pane className="py-3">
      <Form action="/prompts" className="flex flex-wrap items-center gap-2" role="search" scroll={false}>
        <label className="sr-only" htmlFor="prompt-search">
          Search prompts by name
        </label>
        <Input
          id="prompt-search"
          name="q"
          type="search"
          className="min-w-0 max-w-88 flex-[1_1_12rem]"
          placeholder="Part of the name"
          defaultValue={search ?? ''}
        />
        <Button type="submit">Search</Button>
        {search === null ? null : (
          <TextLink className="text-sm" href="/prompts">
            Show all
          </TextLink>
        )}
      </Form>
    </Pane>
  );
}

function Empty({ search, isEmpty }: { search: string | null; isEmpty: boolean }) {
  return (
    <Pane className="border-b-0" data-testid="prompts-empty">
      <p className="font-semibold">{isEmpty ? 'No prompts yet' : 'No prompts match'}</p>
      <p className="wrap-anywhere mt-0.5 mb-3 text-ink-2">
        {isEmpty
          ? 'A prompt has versions. Test a version on cases, tune it, and publish it with a label.'
          : search === null
            ? 'There are no more prompts.'
            : `No prompt name contains “${search}”.`}
      </p>
      {isEmpty ? (
        <RoleLink needs="editor" variant="primary" href="/prompts/new">
          Write a prompt
        </RoleLink>
      ) : (
        <RoleLink needs="viewer" href="/prompts">
          Show all
        </RoleLink>
      )}
    </Pane>
  );
}
