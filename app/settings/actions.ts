'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { turnPython } from '#lib/runs/python-switch.ts';
import { deleteWebhook } from '#lib/runs/webhooks/delete-webhook.ts';
import { resendDelivery } from '#lib/runs/webhooks/resend-delivery.ts';
import { saveWebhook } from '#lib/runs/webhooks/save-webhook.ts';
import { testWebhook, type WebhookTest } from '#lib/runs/webhooks/test-webhook.ts';
import { updateWebhook } from '#lib/runs/webhooks/update-webhook.ts';
import type { ChangedWebhook } from '#lib/runs/webhooks/webhook-view.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Adds a webhook; a secret that was made for it is answered this once. */
export async function addWebhook(input: unknown): Promise<Result<ChangedWebhook>> {
  const actor = await authorize({ name: 'action addWebhook', role: 'owner' });
  const result = await saveWebhook(await getWorkshop(), actor, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

export async function changeWebhook(name: string, input: unknown): Promise<Result<ChangedWebhook>> {
  const actor = await authorize({ name: 'action changeWebhook', role: 'owner' });
  const result = await updateWebhook(await getWorkshop(), actor, name, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Deletes a webhook, whoever uses it: the page has said who does. */
export async function removeWebhook(name: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action removeWebhook', role: 'owner' });
  const result = await deleteWebhook(await getWorkshop(), actor, name, { evenInUse: true });
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Sends a webhook a sample, once. */
export async function tryWebhook(name: string): Promise<Result<WebhookTest>> {
  const actor = await authorize({ name: 'action tryWebhook', role: 'owner' });
  return testWebhook(await getWorkshop(), actor, name);
}

/** Sends a delivery again whose run still waits for it. */
export async function resendToWebhook(webhook: string, id: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action resendToWebhook', role: 'owner' });
  return resendDelivery(await getWorkshop(), actor, { webhook, id });
}

/** Turns Python tests on or off for the whole installation. */
export async function switchPython(on: boolean): Promise<Result<{ on: boolean }>> {
  const actor = await authorize({ name: 'action switchPython', role: 'owner' });
  const result = await turnPython(await getWorkshop(), actor, { on });
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
