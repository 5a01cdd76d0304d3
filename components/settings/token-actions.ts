import type { ApiToken } from '#lib/auth/api-token.ts';
import type { Result } from '#lib/core/problem.ts';

/** What the page can do with API tokens; `token` is there this once. */
export type TokenActions = {
  make: (input: unknown) => Promise<Result<ApiToken & { token: string }>>;
  revoke: (id: string) => Promise<Result<ApiToken>>;
};
