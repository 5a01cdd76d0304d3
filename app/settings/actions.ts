'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { deleteMcpServer, saveMcpServer, updateMcpServer } from '#lib/mcp-servers/save-mcp-server.ts';
import type { McpServerView, McpTest } from '#lib/mcp-servers/schema.ts';
import { testMcpServer } from '#lib/mcp-servers/test-mcp-server.ts';
import { updatePythonSetting } from '#lib/settings/python-setting.ts';
import { updateTwoPersonReview } from '#lib/settings/two-person-review.ts';
import type { ChangedWebhook } from '#lib/webhooks/queries.ts';
import { resendDelivery } from '#lib/webhooks/resend-delivery.ts';
import { deleteWebhook, saveWebhook, updateWebhook } from '#lib/webhooks/save-webhook.ts';
import { testWebhook, type WebhookTest } from '#lib/worker/webhooks/test-webhook.ts';
import { refreshPages } from '../refresh-pages.ts';

/** Adds a webhook; a secret that was made for it is answered this once. */
export const addWebhookAction = defineAction(
  'addWebhookAction',
  { role: 'owner', audit: 'created' },
  async (actor, input: unknown): Promise<Result<ChangedWebhook>> =>
    refreshPages(await saveWebhook(await getAppContext(), actor, input)),
);

export const changeWebhookAction = defineAction(
  'changeWebhookAction',
  { role: 'owner', audit: 'changed' },
  async (actor, name: string, input: unknown): Promise<Result<ChangedWebhook>> =>
    refreshPages(await updateWebhook(await getAppContext(), actor, name, input)),
);

/** Deletes a webhook, whoever uses it: the page has said who does. */
export const removeWebhookAction = defineAction(
  'removeWebhookAction',
  { role: 'owner', audit: 'deleted' },
  async (actor, name: string): Promise<Result<unknown>> =>
    refreshPages(await deleteWebhook(await getAppContext(), actor, name, { evenInUse: true })),
);

/** Sends a webhook a sample, once. */
export const tryWebhookAction = defineAction(
  'tryWebhookAction',
  { role: 'owner', limit: 'test', audit: 'tested' },
  async (actor, name: string): Promise<Result<WebhookTest>> => {
    return testWebhook(await getAppContext(), actor, name);
  },
);

/** Sends a delivery again whose run still waits for it. */
export const resendToWebhookAction = defineAction(
  'resendToWebhookAction',
  { role: 'owner', limit: 'test', audit: 'resent' },
  async (actor, webhook: string, id: string): Promise<Result<unknown>> => {
    return resendDelivery(await getAppContext(), actor, { webhook, id });
  },
);

/** Turns Python tests on or off for the whole installation. */
export const switchPythonAction = defineAction(
  'switchPythonAction',
  { role: 'owner', audit: 'changed' },
  async (actor, on: boolean): Promise<Result<{ on: boolean }>> =>
    refreshPages(await updatePythonSetting(await getAppContext(), actor, { on })),
);

/** Sets whether two people must agree before a lesson is promoted. */
export const switchTwoPersonReviewAction = defineAction(
  'switchTwoPersonReviewAction',
  { role: 'owner', audit: 'changed' },
  async (actor, on: boolean): Promise<Result<{ on: boolean }>> =>
    refreshPages(await updateTwoPersonReview(await getAppContext(), actor, { on })),
);

export const addMcpServerAction = defineAction(
  'addMcpServerAction',
  { role: 'owner', audit: 'created' },
  async (actor, input: unknown): Promise<Result<McpServerView>> =>
    refreshPages(await saveMcpServer(await getAppContext(), actor, input)),
);

export const changeMcpServerAction = defineAction(
  'changeMcpServerAction',
  { role: 'owner', audit: 'changed' },
  async (actor, name: string, input: unknown): Promise<Result<McpServerView>> =>
    refreshPages(await updateMcpServer(await getAppContext(), actor, name, input)),
);

/** Deletes a server that no experiment uses. */
export const removeMcpServerAction = defineAction(
  'removeMcpServerAction',
  { role: 'owner', audit: 'deleted' },
  async (actor, name: string): Promise<Result<unknown>> =>
    refreshPages(await deleteMcpServer(await getAppContext(), actor, name)),
);

/** Asks a server for its tools and keeps them. */
export const tryMcpServerAction = defineAction(
  'tryMcpServerAction',
  { role: 'owner', limit: 'test', audit: 'tested' },
  async (actor, name: string): Promise<Result<McpTest>> =>
    refreshPages(await testMcpServer(await getAppContext(), actor, name)),
);
