import { type Environment, parseEnvironment, type RateName } from '#lib/environment.ts';
import { fail, type Problem } from '#lib/reflection/problem.ts';
import type { Actor } from './authorize.ts';
import { addressGroup } from './client-address.ts';
import { personOf } from './person-of.ts';
import { type Charge, createRateLimiter, type RateLimiter } from './rate-limiter.ts';

/** Ways in that cost more than most, by what they are counted as, beside being requests. */
export const COUNTED_APART: Readonly<Record<string, RateName>> = {
  ...named('start', [
    ...['action runLive', 'action startRuns', 'POST /api/v1/experiments/{id}/runs'],
    ...['action runControl', 'POST /api/v1/batches/{id}/controls', 'POST /api/v1/lessons/{id}/trials'],
    ...['action provePromptLabelAction', 'POST /api/v1/prompts/{name}/proofs'],
    ...['action branchTheRun', 'POST /api/v1/runs/{id}/branch'],
    ...['action rescoreOnRun', 'POST /api/v1/runs/{id}/versions/{number}/rescore'],
    ...['POST /api/v1/runs/{id}/retrospective', 'action previewScores', 'POST /api/v1/experiments/try-criterion'],
    ...[
      'action resumeRuns',
      'POST /api/v1/batches/{id}/resume',
      'action resumeTheRun',
      'POST /api/v1/runs/{id}/resume',
    ],
    ...['action screenLessonAction', 'POST /api/v1/lessons/{id}/screen'],
  ]),
  ...named('read', [
    ...['page /compare', 'GET /api/v1/compare', 'GET /api/v1/compare/cases/{key}', 'GET /api/v1/export/compare'],
    ...['page /insights', 'GET /api/v1/insights', 'GET /api/v1/insights/export', 'GET /api/v1/insights/reviewers'],
    ...['page /search', 'GET /api/v1/search', 'GET /api/v1/experiments/{id}/report'],
    ...['GET /api/v1/export/runs', 'GET /api/v1/datasets/{id}/export', 'GET /api/v1/lessons/export'],
    ...['GET /api/v1/audit/export', 'GET /api/v1/experiments/{id}/agreement'],
    ...['action estimateForm', 'action estimateRuns', 'action previewControl'],
    ...['POST /api/v1/experiments/estimate', 'POST /api/v1/experiments/{id}/estimate'],
    ...['POST /api/v1/batches/{id}/controls/estimate', 'POST /api/v1/lessons/{id}/trials/estimate'],
  ]),
  ...named('import', [
    ...['POST /api/v1/datasets', 'POST /api/v1/datasets/preview', 'POST /api/v1/datasets/promptfoo'],
    ...['POST /api/v1/datasets/{id}/cases', 'POST /api/v1/lessons/import', 'POST /api/v1/runs/import'],
  ]),
  ...named('test', [
    ...['action tryProvider', 'POST /api/v1/providers/{name}/test', 'action findServers', 'POST /api/v1/local-servers'],
    ...['action tryMcpServer', 'POST /api/v1/mcp-servers/{name}/test'],
    ...['action tryWebhook', 'POST /api/v1/webhooks/{name}/test'],
    ...['action resendToWebhook', 'POST /api/v1/webhooks/{name}/deliveries/{id}/resend'],
  ]),
  ...named('backup', [
    ...['action makeBackupNow', 'POST /api/v1/backups', 'GET /api/v1/backups/{name}'],
    ...['action countRetention', 'POST /api/v1/retention/preview', 'action purgeNow', 'POST /api/v1/retention/purge'],
  ]),
  ...named('password', [
    ...['action changeMyPassword', 'action makeMemberPasswordLink', 'POST /api/v1/members/{id}/password-link'],
    ...['action inviteTeamMember', 'POST /api/v1/invitations'],
    ...['action makeMyToken', 'action makeApiToken', 'POST /api/v1/tokens'],
  ]),
};

function named(kind: RateName, names: string[]): Record<string, RateName> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

/** All tokens of one person together, in rates of one. A person's own requests are counted apart: a script does not keep them out. */
const TOKENS_TOGETHER = 4;
/** All requests of one address, in rates of a person: a whole office may stand behind it. */
const ADDRESS_TOGETHER = 10;
/** People and tokens are those that there are; addresses can be made up, and do not push people out. */
const MOST_KEYS = 50_000;

/** Each counts one request, or none where it is one too many: then it answers after how many seconds the next one is taken, else null. */
export type RateLimits = {
  rates: Environment['rateLimits'];
  /** Of whoever is let in at this entry. */
  takeOfPerson(entry: string, actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>): number | null;
  /** Of somebody not signed in. */
  takeOfStranger(address: string): number | null;
  /** Of whoever it may be. */
  takeOfAddress(address: string): number | null;
  /** Of something of `kind` that `actor` does within a request. */
  takeOf(kind: RateName, actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>): number | null;
  /** Of a password that is to be hashed for an address, or for a browser that is known. */
  takePassword(whose: { address: string } | { browser: string }): number | null;
};

/** Limits that hold in one process. `nowMs`: milliseconds of a clock that only goes forward. */
export function openRateLimits(rates: Environment['rateLimits'], nowMs = () => performance.now()): RateLimits {
  const people = createRateLimiter(MOST_KEYS);
  const addresses = createRateLimiter(MOST_KEYS);
  const take = (limiter: RateLimiter, ...charges: Charge[]) => {
    const waitMs = limiter.take(charges, nowMs());
    return waitMs === 0 ? null : Math.max(1, Math.ceil(waitMs / 1_000));
  };
  const ofKind = (kind: RateName, actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>) => ({
    key: `${kind} ${whoOf(actor)}`,
    perMinute: rates[kind],
  });
  return {
    rates,
    takeOfPerson: (entry, actor) => {
      const charges = [ofKind('requests', actor)];
      if (actor.scopes !== undefined && actor.memberId !== undefined)
        charges.push({ key: `tokens of ${actor.memberId}`, perMinute: rates.requests * TOKENS_TOGETHER });
      const kind = COUNTED_APART[entry];
      if (kind !== undefined) charges.push(ofKind(kind, actor));
      return take(people, ...charges);
    },
    takeOfStranger: (address) =>
      take(addresses, { key: `stranger ${addressGroup(address)}`, perMinute: rates.requests }),
    takeOfAddress: (address) =>
      take(addresses, { key: addressGroup(address), perMinute: rates.requests * ADDRESS_TOGETHER }),
    takeOf: (kind, actor) => take(people, ofKind(kind, actor)),
    takePassword: (whose) => {
      const key = 'browser' in whose ? `browser ${whose.browser}` : `password ${addressGroup(whose.address)}`;
      return take(addresses, { key, perMinute: rates.password });
    },
  };
}

/** Each token counts for itself; all else a member does counts for them. */
function whoOf(actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>): string {
  return actor.scopes === undefined ? personOf(actor) : actor.id;
}

declare global {
  // Pages, routes and the server are module instances of their own; only `globalThis` is shared.
  var honeRateLimits: RateLimits | undefined;
}

/** The limits of this process, by its environment. Throws where that is wrong: the start refuses it first. */
export function currentRateLimits(): RateLimits {
  if (globalThis.honeRateLimits !== undefined) return globalThis.honeRateLimits;
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  globalThis.honeRateLimits = openRateLimits(environment.value.rateLimits);
  return globalThis.honeRateLimits;
}

/** Tells people and programs what happened and when to try again. */
export function tooManyRequests(seconds: number): { ok: false; problem: Problem } {
  const message = `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return { ok: false, problem: { ...fail('rate_limited', message).problem, retryAfterSeconds: seconds } };
}
