import type { Row } from './row.ts';

/** Entries that require the owner role: models, keys, webhooks, MCP servers, members, all tokens, the audit log, backups. */
export const OWNER_ROWS: Record<string, Row> = {
  'page /settings': {},
  'action changeMonthBudgetAction': { args: () => [{}] },
  'action makeApiTokenAction': { args: () => [{}] },
  'action revokeApiTokenAction': { args: ({ tokens }) => [tokens] },
  'action switchPythonAction': { args: () => [false] },
  'action switchTwoPersonReviewAction': { args: () => [false] },
  'page /settings/backup': {},
  'action changeBackupScheduleAction': { args: () => [{ unknown: 1 }] },
  'action changeRetentionAction': { args: () => [{ unknown: 1 }] },
  'page /settings/team': {},
  'page /settings/audit': {},
};
