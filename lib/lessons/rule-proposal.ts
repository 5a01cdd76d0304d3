import { z } from 'zod';

/**
 * An experiment's generator instructions as they are and as a rule or playbook would make them. `version`: of the settings they stand in;
 * `addedVersion`: the one that was made of it, null where it was only looked at.
 */
export const ruleProposalSchema = z.object({
  experimentId: z.string(),
  name: z.string(),
  version: z.int(),
  before: z.string(),
  after: z.string(),
  addedVersion: z.int().nullable(),
});
export type RuleProposal = z.infer<typeof ruleProposalSchema>;
