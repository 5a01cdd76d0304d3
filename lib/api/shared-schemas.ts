import { baseSchema } from '#lib/core/agents/base-settings.ts';
import { caseCriteriaSchema } from '#lib/core/case-criteria.ts';
import { criterionSchema } from '#lib/core/criterion.ts';
import {
  critiqueRecordSchema,
  decisionRecordSchema,
  evaluationRecordSchema,
  runRecordSchema,
  versionRecordSchema,
} from '#lib/core/run-record.ts';
import { modelReferenceSchema } from '#lib/core/settings.ts';
import { tokenUsageSchema } from '#lib/core/token-usage.ts';
import { caseInputSchema } from '#lib/datasets/case-input.ts';
import { component } from '#lib/http/define-route.ts';
import { promptSetupSchema } from '#lib/prompts/schema.ts';

/** Names for parts of several requests and responses. Each is described once, and the SDKs have a type for it. */
component('ModelReference', modelReferenceSchema);
component('Base', baseSchema);
component('Criterion', criterionSchema);
component('CaseCriteria', caseCriteriaSchema);
component('NewCase', caseInputSchema);
component('RunRecord', runRecordSchema);
component('Version', versionRecordSchema);
component('Evaluation', evaluationRecordSchema);
component('Critique', critiqueRecordSchema);
component('Decision', decisionRecordSchema);
component('TokenUsage', tokenUsageSchema);
component('PromptSetup', promptSetupSchema);
