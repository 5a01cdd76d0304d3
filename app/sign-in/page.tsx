import { redirect } from 'next/navigation';
import { type SearchParams, searchParam } from '#app/search-param.ts';
import { SignInForm, StaleLayoutReload } from '#components/team/sign-in-form.tsx';
import { StandalonePage } from '#components/team/standalone-page.tsx';
import { admitAnyone } from '#lib/auth/authorize.ts';
import { toSafePath } from '#lib/auth/sign-in/sign-in-path.ts';
import { signInAction } from './actions.ts';

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { actor } = await admitAnyone({ name: 'page /sign-in' });
  const to = toSafePath(searchParam((await searchParams).to));
  if (actor !== null) redirect(to);
  return (
    <StandalonePage title="Sign in">
      <StaleLayoutReload />
      <SignInForm action={signInAction} to={to} />
    </StandalonePage>
  );
}
