import { createModelCaller } from '#lib/models/create-model-caller.ts';
import type { ModelCaller } from '#lib/models/model-caller.ts';
import { limitedCall } from './limited-call.ts';
import { providerDirectory } from './provider-directory.ts';
import type { Workshop } from './workshop.ts';

/** Lends a caller of models, within their providers' limits, to a use case that asks while somebody waits for the answer. */
export async function withModels<Answer>(
  workshop: Workshop,
  use: (call: ModelCaller) => Promise<Answer>,
): Promise<Answer> {
  const { resolveProvider, limitsOf } = providerDirectory(workshop);
  const caller = createModelCaller({ resolveProvider });
  const call = limitedCall(caller, { database: workshop.database, holder: workshop.newId(), limitsOf });
  try {
    return await use(call);
  } finally {
    call.close();
  }
}
