import { redirect } from 'next/navigation';
import { type SearchParams, searchParam } from '#app/search-param.ts';
import { LinkPage } from '#components/team/link-page.tsx';
import { SignInForm, StaleLayoutReload } from '#components/team/sign-in-form.tsx';
import { admitAnyone } from '#lib/auth/authorize.ts';
import { toSafePath } from '#lib/auth/sign-in/sign-in-path.ts';
import { signInAction } from './actions.ts';

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { actor } = await admitAnyone({ name: 'page /sign-in' });
  const to = toSafePath(searchParam((await searchParams).to));
  if (actor !== null) redirect(to);
  return (
    <LinkPage title="Sign in">
      <StaleLayoutReload />
      <SignInForm action={signInAction} to={to} />
    </LinkPage>
  );
}
