'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { deleteMcpServer, saveMcpServer, updateMcpServer } from '#lib/mcp-servers/save-mcp-server.ts';
import { testMcpServer } from '#lib/mcp-servers/test-mcp-server.ts';
import { updatePythonSetting } from '#lib/settings/python.ts';
import { updateTwoPersonReview } from '#lib/settings/two-person-review.ts';
import { resendDelivery } from '#lib/webhooks/resend-delivery.ts';
import { deleteWebhook, saveWebhook, updateWebhook } from '#lib/webhooks/save-webhook.ts';
import { testWebhook } from '#lib/worker/webhooks/test-webhook.ts';

/** Adds a webhook. A generated secret is returned only once. */
export const addWebhookAction = defineAction(
  'addWebhookAction',
  { role: 'owner', audit: 'created', refreshes: true },
  async (actor, input: unknown) => saveWebhook(await getAppContext(), actor, input),
);

export const changeWebhookAction = defineAction(
  'changeWebhookAction',
  { role: 'owner', named: 'webhook', audit: 'changed', refreshes: true },
  async (actor, name: string, input: unknown) => updateWebhook(await getAppContext(), actor, name, input),
);

/** Deletes a webhook even if it is in use. The page has already listed its users. */
export const removeWebhookAction = defineAction(
  'removeWebhookAction',
  { role: 'owner', named: 'webhook', audit: 'deleted', refreshes: true },
  async (actor, name: string) => deleteWebhook(await getAppContext(), actor, name, { evenInUse: true }),
);

/** Sends one test payload to a webhook. */
export const tryWebhookAction = defineAction(
  'tryWebhookAction',
  { role: 'owner', named: 'webhook', limit: 'test', audit: 'tested' },
  async (actor, name: string) => testWebhook(await getAppContext(), actor, name),
);

/** Resends a delivery whose run still waits for it. */
export const resendToWebhookAction = defineAction(
  'resendToWebhookAction',
  { role: 'owner', named: 'webhook', limit: 'test', audit: 'resent', refreshes: 'always' },
  async (actor, webhook: string, id: string) => resendDelivery(await getAppContext(), actor, { webhook, id }),
);

/** Enables or disables Python tests for the whole installation. */
export const switchPythonAction = defineAction(
  'switchPythonAction',
  { role: 'owner', audit: 'changed', refreshes: true },
  async (actor, on: boolean) => updatePythonSetting(await getAppContext(), actor, { on }),
);

/** Sets if two reviewers must agree before a lesson is promoted. */
export const switchTwoPersonReviewAction = defineAction(
  'switchTwoPersonReviewAction',
  { role: 'owner', audit: 'changed', refreshes: true },
  async (actor, on: boolean) => updateTwoPersonReview(await getAppContext(), actor, { on }),
);

export const addMcpServerAction = defineAction(
  'addMcpServerAction',
  { role: 'owner', audit: 'created', refreshes: true },
  async (actor, input: unknown) => saveMcpServer(await getAppContext(), actor, input),
);

export const changeMcpServerAction = defineAction(
  'changeMcpServerAction',
  { role: 'owner', named: 'MCP server', audit: 'changed', refreshes: 'always' },
  async (actor, name: string, input: unknown) => updateMcpServer(await getAppContext(), actor, name, input),
);

/** Deletes an MCP server. Fails if an experiment uses it. */
export const removeMcpServerAction = defineAction(
  'removeMcpServerAction',
  { role: 'owner', named: 'MCP server', audit: 'deleted', refreshes: true },
  async (actor, name: string) => deleteMcpServer(await getAppContext(), actor, name),
);

/** Fetches the tools of an MCP server and stores them. */
export const tryMcpServerAction = defineAction(
  'tryMcpServerAction',
  { role: 'owner', named: 'MCP server', limit: 'test', audit: 'tested', refreshes: 'always' },
  async (actor, name: string) => testMcpServer(await getAppContext(), actor, name),
);
