import { describe, expect, test } from 'vitest';
import { readEntryFile } from './read-entry-file.test-support.mjs';

const call = `await authorizePage('/search');`;
const rules = `{ role: 'editor', audit: 'created' }`;

describe('readEntryFile finds', () => {
  test.each<[string, string, string, object]>([
    [
      'a page',
      'app/runs/[id]/page.tsx',
      `export default async function Page({ params }) { const { id } = await params; ${call} return <p>{id}</p>; }`,
      { kind: 'page', path: '/runs/{id}', writes: false, exported: 'default' },
    ],
    [
      'a page exported at the end',
      'app/(main)/page.tsx',
      `async function Page() { ${call} } export default Page;`,
      { kind: 'page', path: '/', exported: 'default' },
    ],
    [
      'a page as an arrow function',
      'app/x/page.tsx',
      `const Page = async () => { ${call} }; export { Page as default };`,
      { exported: 'default' },
    ],
    [
      'a catch-all page',
      'app/[[...rest]]/page.tsx',
      `export default async function Page() { ${call} }`,
      { path: '/{rest}' },
    ],
    [
      'a page that awaits both of its arguments',
      'app/x/page.tsx',
      `export default async function Page(props) { const [a, b] = await Promise.all([props.params, props.searchParams]); ${call} }`,
      { exported: 'default' },
    ],
    [
      'metadata that reads data',
      'app/x/page.tsx',
      `export async function generateMetadata() { ${call} }`,
      { exported: 'generateMetadata' },
    ],
    [
      'an action',
      'app/x/actions.ts',
      `'use server';\nexport const saveAction = defineAction('saveAction', ${rules}, async (actor, form: FormData) => {});`,
      {
        kind: 'action',
        path: null,
        writes: true,
        exported: 'saveAction',
        name: 'action saveAction',
        role: 'editor',
        audit: ['created'],
      },
    ],
    [
      'an action without audit entries',
      'components/actions.ts',
      `"use server"\nexport const lookAction = defineAction('lookAction', { role: 'viewer', limit: 'read', audit: { none: 'only looks' } }, async () => {});`,
      { exported: 'lookAction', role: 'viewer', audit: { none: 'only looks' } },
    ],
    [
      'an action without a required role',
      'app/sign-in/actions.ts',
      `'use server';\nexport const signInAction = defineOpenAction('signInAction', { audit: ['signed_in'] }, async ({ actor }) => {});`,
      { kind: 'action', role: 'viewer', open: true, audit: ['signed_in'] },
    ],
    [
      'a page without a required role',
      'app/sign-in/page.tsx',
      `export default async function Page() { const { actor } = await admitAnyone({ name: 'a' }); return actor; }`,
      { kind: 'page', role: 'viewer', open: true },
    ],
    [
      'a layout that reads stored rows',
      'app/layout.tsx',
      `import { findRun } from '#lib/runs/find-run.ts'; export default async function Layout() { ${call} }`,
      { kind: 'page' },
    ],
  ])('%s', (_name, file, text, expected) => {
    const read = readEntryFile({ file, text });
    expect(read.problems).toEqual([]);
    expect(read.entries).toHaveLength(1);
    expect(read.entries[0]).toMatchObject(expected);
  });
});

describe('readEntryFile rejects', () => {
  const page = 'app/x/page.tsx';
  test.each<[string, string, string]>([
    ['a page without authorize', page, `export default async function Page() { return <p/>; }`],
    ['an imported page', page, `import { Page } from './other.tsx'; export default Page;`],
    ['a re-exported page', page, `export { default } from './other.tsx';`],
    ['re-exports with a wildcard', page, `export * from './other.ts';`],
    ['a wrapped page', page, `export default memo(async function Page() { ${call} });`],
    [
      'admitAnyone in a branch',
      page,
      `export default async function Page() { if (x) { await admitAnyone({ name: 'a' }); } }`,
    ],
    ['an unawaited admitAnyone', page, `export default async function Page() { admitAnyone({ name: 'a' }); }`],
    ['authorize in a branch', page, `export default async function Page() { if (team) { ${call} } return <p/>; }`],
    ['authorize behind a condition', page, `export default async function Page() { team && ${call} }`],
    [
      'authorize after an early return',
      page,
      `export default async function Page() { if (demo) return <p/>; ${call} }`,
    ],
    ['authorize after a read', page, `export default async function Page() { const run = await findRun(id); ${call} }`],
    ['authorize after a call', page, `export default async function Page() { deleteEverything(); ${call} }`],
    [
      'authorize after a call as argument',
      page,
      `export default async function Page() { const x = await (await findRun()).y; ${call} }`,
    ],
    [
      'authorize after several reads',
      page,
      `export default async function Page() { const x = await Promise.all([params, findRun()]); ${call} }`,
    ],
    [
      'authorize in an inner function',
      page,
      `export default async function Page() { const check = async () => { ${call} }; return <p/>; }`,
    ],
    ['authorize in a catch block', page, `export default async function Page() { try { } catch { ${call} } }`],
    ['authorize in a comment', page, `export default async function Page() { /* ${call} */ return <p/>; }`],
    ['authorize in a string', page, `export default async function Page() { return \`${call}\`; }`],
    ['an unawaited authorize', page, `export default async function Page() { authorizePage('/search'); }`],
    ['a computed path', page, `export default async function Page() { await authorizePage(title); }`],
    ['an unlisted page', page, `export default async function Page() { await authorizePage('/nowhere'); }`],
    [
      'an action with a mismatched name',
      'app/x/actions.ts',
      `'use server';\nexport const saveAction = defineAction('otherAction', ${rules}, async () => {});`,
    ],
    [
      'an action with an unknown role',
      'app/x/actions.ts',
      `'use server';\nexport const saveAction = defineAction('saveAction', { role: 'admin', audit: 'created' }, async () => {});`,
    ],
    [
      'an action without an audit declaration',
      'app/x/actions.ts',
      `'use server';\nexport const saveAction = defineAction('saveAction', { role: 'editor' }, async () => {});`,
    ],
    [
      'an action whose rules are in another file',
      'app/x/actions.ts',
      `'use server';\nexport const saveAction = defineAction('saveAction', RULES, async () => {});`,
    ],
    [
      'an action without authorize',
      'components/actions.ts',
      `'use server';\nexport async function save() { await createRun(); }`,
    ],
    [
      'an action as a constant',
      'components/actions.ts',
      `'use server';\nexport const save = withForm(async () => { ${call} });`,
    ],
    [
      'an action inside a page',
      page,
      `export default async function Page() { ${call} async function save() { 'use server'; await createRun(); } return <form action={save}/>; }`,
    ],
    [
      'an action inside a component',
      'components/form.tsx',
      `export function Form() { return <form action={async () => { 'use server'; }}/>; }`,
    ],
    [
      'a layout that reads stored rows',
      'app/layout.tsx',
      `import { countWaiting } from '#lib/runs/count-waiting.ts'; export default async function Layout() { await countWaiting(); }`,
    ],
  ])('%s', (_name, file, text) => {
    expect(readEntryFile({ file, text }).problems).toHaveLength(1);
  });

  test.each<[string, string, string]>([
    ['a component', 'components/score.tsx', `export default function Score() { return <p/>; }`],
    [
      'a layout that only composes',
      'app/layout.tsx',
      `import type { Run } from '#lib/runs/find-run.ts'; export default function Layout({ children }) { return <html>{children}</html>; }`,
    ],
    ['a type next to an action', 'app/x/actions.ts', `'use server';\nexport type State = { error: string };`],
  ])('accepts %s', (_name, file, text) => {
    expect(readEntryFile({ file, text })).toEqual({ entries: [], problems: [] });
  });
});
