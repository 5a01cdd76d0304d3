import { FIRST_OWNER_HOURS, makeFirstOwnerLink } from '#lib/auth/links/first-owner-link.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';
import type { Environment } from '#lib/environment.ts';

/** What whoever starts team mode must know: the link of the first owner while there is no member, and what is not safe. `address`: APP_URL. */
export async function printOwnerLink({ mode }: Pick<Environment, 'mode'>, address: string): Promise<string[]> {
  if (mode === 'local') return [];
  const path = await makeFirstOwnerLink(getAppDatabase(), new Date());
  return [
    ...(isOpenToListeners(address)
      ? [
          `warning: people reach Hone at ${address}, where whoever listens on the way reads passwords. Put a proxy with https in front and set APP_URL to it.`,
        ]
      : []),
    ...(path === null
      ? []
      : [
          `nobody is a member yet. Who opens this link becomes the first owner (once, within ${FIRST_OWNER_HOURS} hours):\n\n  ${address}${path}\n`,
        ]),
  ];
}

function isOpenToListeners(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
