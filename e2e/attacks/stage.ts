import path from 'node:path';
import type pg from 'pg';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { changedWebhookSchema } from '#lib/api/webhooks.ts';
import type { Role } from '#lib/auth/role.ts';
import { type Api, openApi } from '../api/open-api.ts';
import { type DecidingService, startDecidingService } from '../deciding-service.ts';
import { type BuiltAction, builtActions } from '../matrix/call-action.ts';
import { type ScriptedProvider, startScriptedProvider } from '../scripted-provider.ts';
import { submitForm } from '../submit-form.ts';
import { startTeamApp, TEAM_PASSWORD, TEAM_SECRET, type TeamApp, type TeamMember } from '../team-app.ts';
import { fromNewAddress } from './from-new-address.ts';
import { type Hostile, MARKDOWN, storeHostileTexts } from './hostile-texts.ts';
import { memberFactory, type NewMember } from './member-factory.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';
import { openStartLinkApp, type StartLinkApp } from './start-link-app.ts';
import { spyProgram } from './untrusted-code.ts';

/** An API client. `headers` are sent with every call; headers of a call override them. */
export type Client = Api & { headers: Record<string, string> };

/** The target of the attacks: a Hone in team mode with the servers and members they need. */
export type Stage = {
  address: string;
  port: number;
  anonymous: Client;
  owner: Client;
  editor: Client;
  /** Set-Cookie headers with which browsers received their sessions. */
  setCookies: readonly string[];
  members: Record<Role, TeamMember>;
  database: pg.Pool;
  /** Creates a signed-in member that an attack may lock out, disable or demote. */
  newMember(role: Role): Promise<NewMember>;
  /** Creates an invitation and returns the path of its link. */
  newInvitation(role: Role): Promise<string>;
  /** Tokens of all invitation links so far. */
  invitations(): string[];
  newDataset(name: string): Promise<{ id: string }>;
  /** Returns records with hostile text in all fields, created on first use. */
  hostile(): Promise<Hostile>;
  action(exported: string): BuiltAction;
  /** Returns headers with a unique client address, so that attacks do not share rate limits. */
  fromNewAddress(): Record<string, string>;
  /** An internal server that is not configured. No request may reach it. */
  unlisted: RecordingServer;
  /** A server that the operator configured and that redirects to the internal one. */
  redirecting: RecordingServer;
  /** Another server that the operator configured. */
  configured: RecordingServer;
  /** The provider `scripted`, which answers every request with hostile text. */
  scripted: ScriptedProvider;
  /** The webhook `decider`, which stops runs, and its secret. */
  decider: DecidingService;
  deciderSecret: string;
  /** A second, single-user Hone. */
  startLinkApp: StartLinkApp;
  output(): string;
  stop(): Promise<void>;
};

/** Starts the stage. Takes about as long as four members need to join. */
export async function openStage(): Promise<Stage> {
  const unlisted = await startRecordingServer((_request, response) => response.end('internal-secret'));
  const redirecting = await startRecordingServer((_request, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${unlisted.port}/v1` }).end(),
  );
  const configured = await startRecordingServer((_request, response) => response.end('{"data": []}'));
  const scripted = await startScriptedProvider(() => ({ text: MARKDOWN }));
  const decider = await startDecidingService({ decision: 'stop' });
  const named = [
    new URL(scripted.baseUrl).host,
    new URL(decider.url).host,
    `127.0.0.1:${redirecting.port}`,
    `127.0.0.1:${configured.port}`,
  ];
  const [team, startLinkApp] = await Promise.all([
    startTeamApp({
      env: {
        HONE_ALLOWED_PRIVATE_HOSTS: named.join(','),
        HONE_MCP_COMMANDS: JSON.stringify({ spy: spyProgram(`HONE_SECRET=${TEAM_SECRET}`) }),
        HONE_RATE_LIMITS: 'backup=5',
      },
    }),
    openStartLinkApp(),
  ]);
  const { address, port } = team.app;
  const as = (headers: Record<string, string>): Client => ({ ...openApi(address, headers), headers });
  const cookieOf = (role: Role) => ({ cookie: team.as(role).cookie });
  const [owner, editor] = [as(cookieOf('owner')), as(cookieOf('editor'))];
  const actions = builtActions(path.resolve(import.meta.dirname, '../..'));
  const { newMember, newInvitation, invitations } = memberFactory(team);
  await addServers(owner, { scripted: scripted.baseUrl, redirecting: `http://127.0.0.1:${redirecting.port}/v1` });
  const hook = { name: 'decider', url: decider.url };
  const { secret } = await owner.read(changedWebhookSchema, 'POST', '/api/v1/webhooks', hook);
  let hostile: Promise<Hostile> | null = null;
  return {
    address,
    port,
    anonymous: as({}),
    owner,
    editor,
    members: {
      owner: team.as('owner'),
      editor: team.as('editor'),
      reviewer: team.as('reviewer'),
      viewer: team.as('viewer'),
    },
    setCookies: await signInAgain(team),
    database: team.database,
    newMember,
    newInvitation,
    invitations,
    newDataset: (name) =>
      owner.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name, cases: [{ input: 'x' }] }),
    hostile: () => {
      hostile ??= storeHostileTexts({ owner, editor });
      return hostile;
    },
    action: (exported) => {
      const found = actions.find((action) => action.exported === exported);
      if (found === undefined) throw new Error(`the build has no action ${exported}`);
      return found;
    },
    fromNewAddress,
    unlisted,
    redirecting,
    configured,
    scripted,
    decider,
    deciderSecret: secret ?? '',
    startLinkApp,
    output: team.app.output,
    stop: async () => {
      decider.stop();
      await Promise.all([team.stop(), startLinkApp.stop()]);
      await Promise.all([scripted.stop(), configured.stop(), redirecting.stop(), unlisted.stop()]);
    },
  };
}

async function signInAgain({ app, as }: TeamApp): Promise<string[]> {
  const values = { email: as('viewer').email, password: TEAM_PASSWORD };
  return (await submitForm(app.address, '/sign-in', values, fromNewAddress())).headers.getSetCookie();
}

/** Adds a provider, a webhook and an MCP server for each URL. */
async function addServers(owner: Client, servers: Record<string, string>): Promise<void> {
  for (const [name, url] of Object.entries(servers)) {
    const sent: [string, Record<string, unknown>][] = [
      ['providers', { name, kind: 'openai-compatible', baseUrl: url, apiKey: 'a-key-of-the-attacked' }],
      ['webhooks', { name, url }],
      ['mcp-servers', { kind: 'http', name, url }],
    ];
    for (const [kind, body] of sent) {
      const { status, text } = await owner.call('POST', `/api/v1/${kind}`, body);
      if (status !== 201) throw new Error(`${kind} ${name}: ${text}`);
    }
  }
}
