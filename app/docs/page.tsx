import { ClientSideLinks } from '#components/docs/doc-body.tsx';
import { DocSearch } from '#components/docs/doc-search.tsx';
import { Page } from '#components/layout/page.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { DOC_SECTIONS, type DocPath } from '#lib/docs/navigation.ts';
import { readDoc } from '#lib/docs/read-doc.ts';

export default async function DocsPage() {
  await authorizePage('/docs');
  return (
    <Page crumbs={[{ label: 'Docs' }]}>
      <Pane className="border-b-0">
        <h1 className="text-2xl">Documentation</h1>
        <div className="mt-3 max-w-[28rem]">
          <DocSearch />
        </div>
        <ClientSideLinks className="mt-6 gap-x-8 medium:columns-2 roomy:columns-3">
          {DOC_SECTIONS.map(({ folder, title, pages }) => (
            <section key={folder} className="mb-6 break-inside-avoid" aria-labelledby={folder}>
              <h2 id={folder}>{title}</h2>
              <ul className="mt-1 space-y-1.5">
                {pages.map((name) => {
                  const doc = readDoc(`${folder}/${name}` as DocPath);
                  return (
                    <li key={name}>
                      <a className="link" href={`/docs/${doc.path}`}>
                        {doc.title}
                      </a>
                      <p className="text-ink-2 text-sm">{doc.description}</p>
                    </li>
                  );
                })}
              </ul>
            </section>
          ))}
        </ClientSideLinks>
      </Pane>
    </Page>
  );
}
