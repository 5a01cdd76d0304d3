import { type Api, openApi } from '../api/open-api.ts';
import { type StartedApp, startApp } from '../start-app.ts';

/** A single-user Hone that requires its start link, with low rate limits. */
export type StartLinkApp = {
  address: string;
  port: number;
  /** Token of the start link. */
  token: string;
  /** A client that can reach the port but has no session. */
  anonymous: Api;
  /** The user, in the browser that opened the link. */
  person: Api;
  cookie: string;
  output(): string;
  stop(): Promise<void>;
};

/** Requests per minute per user, token or address, and other limits of HONE_RATE_LIMITS. */
export const LOW_LIMITS = { requests: 60, read: 4, streams: 2 };

/** Starts this Hone with a separate database. */
export async function openStartLinkApp(): Promise<StartLinkApp> {
  const limits = Object.entries(LOW_LIMITS).map(([name, limit]) => `${name}=${limit}`);
  const app = await startApp({ env: { HONE_START_TOKEN: '1', HONE_RATE_LIMITS: limits.join(',') } });
  return { ...(await enter(app)), output: app.output, stop: app.stop };
}

async function enter({ address, port, output }: StartedApp) {
  const token = /\?token=([\w-]+)/.exec(output())?.[1];
  if (token === undefined) throw new Error(`no link was printed:\n${output()}`);
  const anonymous = openApi(address);
  const { headers } = await anonymous.call('GET', `/?token=${token}`);
  const cookie = [headers['set-cookie'] ?? []].flat()[0]?.replace(/;.*$/s, '') ?? '';
  return { address, port, token, anonymous, cookie, person: openApi(address, { cookie }) };
}
