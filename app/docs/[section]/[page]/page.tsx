import { notFound } from 'next/navigation';
import { DocView } from '#components/docs/doc-view.tsx';
import { Page } from '#components/layout/page.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { isDocPath } from '#lib/docs/navigation.ts';
import { readDoc } from '#lib/docs/read-doc.ts';

export default async function DocPage({ params }: { params: Promise<{ section: string; page: string }> }) {
  await authorizePage('/docs/{section}/{page}');
  const { section, page } = await params;
  const path = `${section}/${page}`;
  if (!isDocPath(path)) notFound();
  const doc = readDoc(path);
  return (
    <Page crumbs={[{ label: 'Docs', href: '/docs' }, { label: doc.title }]}>
      <DocView doc={doc} />
    </Page>
  );
}
