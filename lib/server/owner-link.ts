import {
  createFirstOwnerLink,
  createPasswordLink,
  FIRST_OWNER_HOURS,
  PASSWORD_LINK_HOURS,
} from '#lib/auth/create-member-links.ts';
import { findMemberByEmail } from '#lib/auth/members.ts';
import { HONE_ACTOR } from '#lib/auth/record-change.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import type { Environment } from '#lib/environment.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { readArguments, refuseArguments } from '#lib/system/read-arguments.ts';
import { connectDatabase, hasCluster } from './connect-database.ts';
import { runCommand } from './run-command.ts';
import { StartFailure, valueOrFail } from './start-failure.ts';

/**
 * Returns lines for whoever starts team mode: the link for the first owner while there are no members, and a warning about an unsafe
 * address. `address`: APP_URL.
 */
export async function printOwnerLink({ mode }: Pick<Environment, 'mode'>, address: string): Promise<string[]> {
  if (mode === 'local') return [];
  const path = await createFirstOwnerLink(getAppDatabase(), new Date());
  return [
    ...(isOpenToListeners(address)
      ? [
          `warning: people open Hone at ${address} without encryption, so passwords can be read on the network. Put an HTTPS proxy in front and set APP_URL to its address.`,
        ]
      : []),
    ...(path === null
      ? []
      : [
          `there are no members yet. Open this link to become the first owner (usable once, within ${FIRST_OWNER_HOURS} hours):\n\n  ${address}${path}\n`,
        ]),
  ];
}

function isOpenToListeners(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

const USAGE = `Usage: ${commandLine('password-link', '<e-mail address>')}

Prints a link that lets this member set a new password. Hone can keep running.`;

/**
 * Prints a password link for an owner who forgot the password and has no other owner to create one. It needs no further permission, because
 * anyone with access to this machine could already read the whole database.
 */
export async function passwordLink(args: string[]): Promise<never> {
  const [email = ''] = readArguments(USAGE, { options: {}, operands: [1, 1] }, args).operands;
  if (!email.includes('@')) refuseArguments(`'${email}' is not an e-mail address.`, USAGE);
  return runCommand(async ({ environment, dataFolder, ending, log }) => {
    if (environment.databaseUrl === null && !hasCluster(dataFolder))
      throw new StartFailure(`There is no database in ${dataFolder} yet, so there are no members.`);
    const command = { environment, dataFolder, command: commandLine('password-link'), alone: false, ending, log };
    const database = openDatabase(await connectDatabase(command), { maxConnections: 1 });
    ending.defer(() => closeDatabase(database));
    const member = await findMemberByEmail(database.prisma, email.trim().toLowerCase());
    if (member === null) throw new StartFailure(`There is no member with the address ${email}.`);
    const made = valueOrFail(await createPasswordLink(database, HONE_ACTOR, member.id, new Date()));
    const { appUrl, host, port } = environment;
    log(
      `link to set a new password for ${member.name} (usable once, within ${PASSWORD_LINK_HOURS} hours):\n\n  ${appUrl ?? `http://${host}:${port}`}${made.path}\n`,
    );
  });
}
