import type { AuditGroup } from '#lib/audit/audit-groups.ts';
import type { AuditAction, AuditEntry, AuditSubjectKind } from '#lib/audit/schema.ts';
import { formatMoment } from '#lib/format.ts';

/** Label of each act, placed before its subject: `changed the role of`. */
export const ACT_LABELS: Record<AuditAction, string> = {
  created: 'created',
  changed: 'changed',
  deleted: 'deleted',
  restored: 'restored',
  decided: 'decided on',
  scored: 'scored',
  preferred: 'judged blind',
  reviewed: 'reviewed',
  judged: 'gave an opinion on',
  commented: 'commented on',
  edited_comment: 'changed a comment on',
  deleted_comment: 'deleted a comment on',
  assigned: 'assigned',
  unassigned: 'took back the assignment of',
  labelled: 'labeled',
  started: 'started',
  resumed: 'resumed',
  stopped: 'stopped',
  imported: 'imported',
  exported: 'exported',
  rescored: 'had scored again',
  measured: 'measured the changes of',
  requested: 'asked for work on',
  tested: 'tested',
  resent: 'sent again to',
  purged: 'purged',
  invited: 'invited',
  joined: 'joined as',
  withdrew: 'withdrew',
  revoked: 'revoked',
  disabled: 'disabled',
  enabled: 'enabled',
  signed_in: 'signed in',
  signed_out: 'signed out',
  sign_in_failed: 'failed to sign in',
  changed_role: 'changed the role of',
  changed_password: 'changed the password of',
  made_password_link: 'made a password link for',
  entered: 'opened',
};

const SUBJECT_LABELS: Record<AuditSubjectKind, string> = {
  run: 'a run',
  batch: 'a batch',
  experiment: 'an experiment',
  view: 'a view',
  dataset: 'a dataset',
  file: 'a file',
  lesson: 'a lesson',
  prompt: 'a prompt',
  provider: 'a provider',
  prices: 'the prices',
  budget: 'the month’s budget',
  webhook: 'a webhook',
  target: 'a target',
  mcp_server: 'an MCP server',
  setting: 'a setting',
  backup: 'a backup',
  member: 'a member',
  invitation: 'an invitation',
  session: 'a session',
  token: 'a token',
  audit: 'the audit log',
  entry: 'a page',
};

export const GROUP_LABELS: Record<AuditGroup, string> = {
  decisions: 'Decisions',
  lessons: 'Lessons',
  settings: 'Settings',
  access: 'Access',
  refused: 'Refused',
};

/** Returns the label of an entry's act, placed before its subject: `changed the role of`, or `was refused: reviewed` if it was denied. */
export function actLabel({ act, outcome }: Pick<AuditEntry, 'act' | 'outcome'>): string {
  if (outcome === 'done') return ACT_LABELS[act];
  return act === 'entered' ? 'was refused' : `was refused: ${ACT_LABELS[act]}`;
}

/** Returns the kind and name of an entry's subject and the URL of its page. `href` is null if it has no page. */
export function subjectLabel({ act, subject }: Pick<AuditEntry, 'act' | 'subject'>): {
  kind: string;
  name: string;
  href: string | null;
} {
  const { kind, id, name } = subject;
  // An entry point is described by its name alone. A session is described only by its member.
  if (kind === 'entry') return { kind: '', name: name ?? id ?? '', href: null };
  if (kind === 'session') return { kind: act === 'revoked' ? 'a session of' : '', name: name ?? '', href: null };
  if (act === 'invited') return { kind: '', name: name ?? '', href: getSubjectUrl(kind, id, name) };
  return { kind: SUBJECT_LABELS[kind], name: name ?? '', href: getSubjectUrl(kind, id, name) };
}

/** Returns the details of a change as `name: value`. `before` and `after` are returned as a pair. */
export function changeLabel(change: AuditEntry['change']): {
  before: string | null;
  after: string | null;
  rest: string[];
} {
  const { before, after, ...others } = change;
  const isPair = before !== undefined && after !== undefined;
  const rest = Object.entries(isPair ? others : change)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${inWords(name)}: ${valueLabel(value)}`);
  return { before: isPair ? valueLabel(before) : null, after: isPair ? valueLabel(after) : null, rest };
}

function getSubjectUrl(kind: AuditSubjectKind, id: string | null, name: string | null): string | null {
  const at = id === null ? null : encodeURIComponent(id);
  switch (kind) {
    case 'run':
      return at && `/runs/${at}`;
    case 'experiment':
      return at && `/experiments/${at}`;
    case 'dataset':
      return at && `/datasets/${at}`;
    case 'lesson':
      return at && `/lessons/${at}`;
    case 'prompt':
      return name === null ? null : `/prompts/${encodeURIComponent(name)}`;
    case 'provider':
    case 'prices':
    case 'budget':
      return '/models';
    case 'target':
      return '/targets';
    case 'webhook':
    case 'mcp_server':
    case 'setting':
      return '/settings';
    case 'member':
    case 'invitation':
    case 'token':
      return '/settings/team';
    case 'batch':
    case 'view':
    case 'file':
    case 'backup':
    case 'session':
    case 'audit':
    case 'entry':
      return null;
    default:
      return kind satisfies never;
  }
}

/** Splits camel case into words: `sessionsEnded` → `sessions ended`. */
function inWords(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`);
}

function valueLabel(value: string | number | boolean | null): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return ISO_MOMENT.test(text) && !Number.isNaN(Date.parse(text)) ? formatMoment(text) : text;
}

const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
