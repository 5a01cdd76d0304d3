import { notFound } from 'next/navigation';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { VersionDiff } from '#components/prompts/version-diff.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { promptDocument, promptPath } from '#lib/prompts/prompt.ts';
import { findPrompt, findPromptVersion } from '#lib/prompts/queries.ts';
import { numberParam, type SearchParams, searchParam } from '../../../search-param.ts';
import { readPromptName } from '../../read-prompt-name.ts';

type PromptDiffPageProps = { params: Promise<{ name: string }>; searchParams: SearchParams };

export default async function PromptDiffPage({ params, searchParams }: PromptDiffPageProps) {
  await authorizePage('/prompts/{name}/diff');
  const name = await readPromptName(params);
  const query = await searchParams;
  const { database } = await getAppContext();
  const prompt = await findPrompt(database, name);
  if (prompt === null) notFound();
  const to = numberParam(query.to) || prompt.latestVersion;
  const from = numberParam(query.from) || Math.max(1, to - 1);
  const [before, after] = await Promise.all([
    findPromptVersion(database.prisma, name, { version: from }),
    findPromptVersion(database.prisma, name, { version: to }),
  ]);
  if (before === null || after === null) notFound();
  return (
    <Page
      crumbs={[
        { label: 'Prompts', href: '/prompts' },
        { label: name, href: promptPath(name) },
        { label: `v${from} and v${to}` },
      ]}
    >
      <PageHead title={`${name}, v${from} against v${to}`} facts={<span>{after.message}</span>} />
      <VersionDiff
        name={name}
        versions={prompt.versions.map(({ number, message }) => ({ number, message }))}
        from={{ number: from, text: promptDocument(before) }}
        to={{ number: to, text: promptDocument(after) }}
        layout={searchParam(query.layout) === 'unified' ? 'unified' : 'split'}
      />
    </Page>
  );
}
