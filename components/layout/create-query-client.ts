import { QueryClient } from '@tanstack/react-query';

/** Returns the client for the requests of a page. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Hone may run on this computer, so requests are sent while the browser is offline too.
      queries: { networkMode: 'always', refetchOnReconnect: true, retry: 1, refetchOnWindowFocus: false },
    },
  });
}
