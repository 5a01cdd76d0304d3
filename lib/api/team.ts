import { z } from 'zod';
import { AUDIT_GROUPS } from '#lib/audit/audit-groups.ts';
import { type AuditFilter, iterateAudit, listAudit } from '#lib/audit/queries.ts';
import { AUDIT_SUBJECTS, auditEntrySchema } from '#lib/audit/schema.ts';
import { apiTokenSchema } from '#lib/auth/api-token.ts';
import { listApiTokens } from '#lib/auth/api-tokens.ts';
import { invitationInput } from '#lib/auth/create-member-links.ts';
import { listInvitations } from '#lib/auth/member-links.ts';
import { changedMemberSchema, invitationSchema, memberSchema, memberSessionSchema } from '#lib/auth/member-schema.ts';
import { listMembers } from '#lib/auth/members.ts';
import { recordExport } from '#lib/auth/record-change.ts';
import { getRunningApp } from '#lib/context/running-app.ts';
import { succeed } from '#lib/core/problem.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { downloadResponse, textChunks } from '#lib/formats/download.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { count, page } from '#lib/http/fields.ts';
import { idOf, pagedByNumber, queryText } from '#lib/http/parameters.ts';
import { timeInput } from '#lib/input/parse-input.ts';
import { changeMember, endMemberSessions, memberChangeSchema } from '#lib/team/change-member.ts';
import { listOwnSessions, revokeOtherSessions, revokeOwnSession } from '#lib/team/own-account.ts';
import { inviteToTeam, linkToNewPassword, withdrawLink } from '#lib/team/team-links.ts';
import { createToken, revokeToken, tokenInputSchema } from '#lib/team/tokens.ts';

const apiTokensSchema = component('ApiTokens', z.object({ items: z.array(component('ApiToken', apiTokenSchema)) }));

export const madeApiTokenSchema = component(
  'MadeApiToken',
  apiTokenSchema.extend({ token: z.string().meta({ description: 'The token. Hone shows it only once.' }) }),
);

const membersSchema = component('Members', z.object({ items: z.array(component('Member', memberSchema)) }));

const endedSessionsSchema = component('EndedSessions', z.object({ ended: count }));

const madeLinkSchema = component(
  'MadeLink',
  z.object({
    id: z.uuid(),
    url: z.url().meta({ description: 'Link, shown only once. Anyone who has the link can use it.' }),
    expiresAt: z.iso.datetime(),
  }),
);

const invitationsSchema = component(
  'Invitations',
  z.object({ items: z.array(component('Invitation', invitationSchema)) }),
);

const withdrawnLinkSchema = component('WithdrawnLink', z.object({ id: z.uuid() }));

const memberSessionsSchema = component(
  'MemberSessions',
  z.object({ items: z.array(component('MemberSession', memberSessionSchema)) }),
);

const moment = timeInput('must be a time such as 2026-01-31T00:00:00Z').optional();

const filter = {
  group: choiceOf(AUDIT_GROUPS).optional(),
  actorId: queryText
    .max(200, { error: 'must be at most 200 characters' })
    .optional()
    .meta({ description: 'Actor ID, as in the entries of the log.' }),
  subject: choiceOf(AUDIT_SUBJECTS).optional(),
  subjectId: queryText
    .max(200, { error: 'must be at most 200 characters' })
    .optional()
    .meta({ description: 'ID of the subject. Used together with `subject`.' }),
  from: moment.meta({ description: 'Start of the period, inclusive.' }),
  to: moment.meta({ description: 'End of the period, exclusive.' }),
};

const auditQuery = z.strictObject({ ...pagedByNumber, ...filter });

export const auditEntriesSchema = component('AuditEntries', page(component('AuditEntry', auditEntrySchema)));

const auditExportQuery = z.strictObject(filter);

/** Converts the query to the database filter. */
function auditFilterOf(query: z.output<typeof auditExportQuery>): AuditFilter {
  const { group = null, actorId = null, subject, subjectId = null, from, to } = query;
  return {
    group,
    actorId,
    subject: subject === undefined ? null : { kind: subject, id: subjectId },
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
  };
}

export const teamRoutes = {
  listTokens: defineRoute('GET /api/v1/tokens', {
    summary: 'List API tokens, without the tokens themselves',
    role: 'owner',
    response: apiTokensSchema,
    handle: async ({ context: { database } }) => succeed({ items: await listApiTokens(database) }),
  }),
  createToken: defineRoute('POST /api/v1/tokens', {
    summary: 'Create an API token. It is shown once',
    role: 'owner',
    limit: 'password',
    audit: 'created',
    body: component('ApiTokenInput', tokenInputSchema),
    status: 201,
    response: madeApiTokenSchema,
    handle: async ({ context, actor, body }) => createToken(context, actor, body),
  }),
  revokeToken: defineRoute('DELETE /api/v1/tokens/{id}', {
    summary: 'Revoke an API token',
    role: 'owner',
    audit: 'revoked',
    params: { id: idOf('API token') },
    response: component('ApiToken', apiTokenSchema),
    handle: async ({ context, actor, params }) => revokeToken(context, actor, params.id),
  }),
  listMembers: defineRoute('GET /api/v1/members', {
    summary: 'List the members of the team',
    role: 'owner',
    scope: 'people',
    response: membersSchema,
    handle: async ({ context: { database, now } }) => succeed({ items: await listMembers(database, now()) }),
  }),
  updateMember: defineRoute('PATCH /api/v1/members/{id}', {
    summary: 'Change the role of a member, or disable or enable them. One owner always stays',
    role: 'owner',
    scope: 'people',
    audit: ['changed_role', 'disabled', 'enabled'],
    params: { id: idOf('member') },
    body: component('MemberChange', memberChangeSchema),
    response: component('ChangedMember', changedMemberSchema),
    handle: async ({ context, actor, params, body }) => changeMember(context, actor, params.id, body),
  }),
  endMemberSessions: defineRoute('DELETE /api/v1/members/{id}/sessions', {
    summary: 'Sign a member out of all browsers',
    role: 'owner',
    scope: 'people',
    audit: 'revoked',
    params: { id: idOf('member') },
    response: endedSessionsSchema,
    handle: async ({ context, actor, params }) => endMemberSessions(context, actor, params.id),
  }),
  createPasswordLink: defineRoute('POST /api/v1/members/{id}/password-link', {
    summary: 'Create a link for a new password. It works once, within a day',
    role: 'owner',
    scope: 'people',
    limit: 'password',
    audit: 'made_password_link',
    params: { id: idOf('member') },
    status: 201,
    response: madeLinkSchema,
    handle: async ({ context, actor, params }) => {
      const { address } = getRunningApp();
      return linkToNewPassword({ ...context, address }, actor, params.id);
    },
  }),
  listInvitations: defineRoute('GET /api/v1/invitations', {
    summary: 'List open invitations and password links, without the links',
    role: 'owner',
    scope: 'people',
    response: invitationsSchema,
    handle: async ({ context: { database, now } }) => succeed({ items: await listInvitations(database, now()) }),
  }),
  createInvitation: defineRoute('POST /api/v1/invitations', {
    summary: 'Create an invitation link. It works once, within seven days',
    role: 'owner',
    scope: 'people',
    limit: 'password',
    audit: 'invited',
    body: component('InvitationInput', invitationInput),
    status: 201,
    response: madeLinkSchema,
    handle: async ({ context, actor, body }) => {
      const { address } = getRunningApp();
      return inviteToTeam({ ...context, address }, actor, body);
    },
  }),
  withdrawInvitation: defineRoute('DELETE /api/v1/invitations/{id}', {
    summary: 'Withdraw an invitation or a password link',
    role: 'owner',
    scope: 'people',
    audit: 'withdrew',
    params: { id: idOf('invitation') },
    response: withdrawnLinkSchema,
    handle: async ({ context, actor, params }) => withdrawLink(context, actor, params.id),
  }),
  listMySessions: defineRoute('GET /api/v1/account/sessions', {
    summary: 'List the browsers you are signed in with',
    role: 'viewer',
    scope: 'people',
    response: memberSessionsSchema,
    handle: async ({ context, actor }) => listOwnSessions(context, actor),
  }),
  endMyOtherSessions: defineRoute('DELETE /api/v1/account/sessions', {
    summary: 'Sign out all other browsers',
    role: 'viewer',
    scope: 'people',
    audit: 'revoked',
    response: endedSessionsSchema,
    handle: async ({ context, actor }) => revokeOtherSessions(context, actor),
  }),
  endMySession: defineRoute('DELETE /api/v1/account/sessions/{id}', {
    summary: 'Sign out one browser',
    role: 'viewer',
    scope: 'people',
    audit: 'revoked',
    params: { id: idOf('session') },
    response: endedSessionsSchema,
    handle: async ({ context, actor, params }) => revokeOwnSession(context, actor, params.id),
  }),
  listAuditEntries: defineRoute('GET /api/v1/audit', {
    summary: 'List the audit log, newest first',
    role: 'owner',
    scope: 'people',
    query: auditQuery,
    response: auditEntriesSchema,
    handle: async ({ context: { database }, query }) => {
      const { cursor = null, limit, ...filter } = query;
      return succeed(await listAudit(database, auditFilterOf(filter), { cursor, limit }));
    },
  }),
  exportAuditLog: defineRoute('GET /api/v1/audit/export', {
    summary: 'Export the audit log as JSON Lines',
    role: 'owner',
    scope: 'people',
    limit: 'read',
    audit: 'exported',
    query: auditExportQuery,
    response: { types: ['application/x-ndjson'] },
    handle: async ({ context: { database, now }, request, actor, query }) => {
      // Limited to entries up to now, because otherwise the file would contain the entry of this export.
      const filter = { ...auditFilterOf(query), to: new Date(query.to ?? now()) };
      const chunks = textChunks(asLines(iterateAudit(database, filter)));
      await recordExport(actor, { kind: 'audit' }, { what: 'audit log' });
      return downloadResponse(request, {
        type: 'application/x-ndjson; charset=utf-8',
        name: `hone-audit-${now().toISOString().slice(0, 10)}.jsonl`,
        chunks,
      });
    },
  }),
};

async function* asLines(entries: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}
