import { baseSchema } from '#lib/core/agents/base-settings.ts';
import { caseCriteriaSchema } from '#lib/core/case.ts';
import { chatFileSchema, chatMessageSchema } from '#lib/core/chat/chat-message.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import { modelSettingsSchema } from '#lib/core/model-settings.ts';
import { responseSchemaSchema, toolDefinitionSchema } from '#lib/core/prompt-options.ts';
import {
  critiqueRecordSchema,
  decisionRecordSchema,
  evaluationRecordSchema,
  runRecordSchema,
  versionRecordSchema,
} from '#lib/core/run-record.ts';
import { modelReferenceSchema, settingsSchema } from '#lib/core/settings.ts';
import { targetSettingsSchema } from '#lib/core/targets/target-settings.ts';
import { tokenUsageSchema } from '#lib/core/token-usage.ts';
import { caseInputSchema } from '#lib/datasets/case-input.ts';
import { component } from '#lib/http/define-route.ts';
import { promptSetupSchema } from '#lib/prompts/schema.ts';
import { kappaSchema } from '#lib/statistics/calibration.ts';
import { countedShareSchema, meanIntervalSchema } from '#lib/statistics/shares.ts';

/** Names for schemas shared by several requests and responses. Each is documented once and has a type in the SDKs. */
component('ModelReference', modelReferenceSchema);
component('Base', baseSchema);
component('Criterion', criterionSchema);
component('CaseCriteria', caseCriteriaSchema);
component('NewCase', caseInputSchema);
component('ChatMessage', chatMessageSchema);
component('ChatFile', chatFileSchema);
component('RunRecord', runRecordSchema);
component('Version', versionRecordSchema);
component('Evaluation', evaluationRecordSchema);
component('Critique', critiqueRecordSchema);
component('Decision', decisionRecordSchema);
component('TokenUsage', tokenUsageSchema);
component('PromptSetup', promptSetupSchema);
component('ToolDefinition', toolDefinitionSchema);
component('ResponseSchema', responseSchemaSchema);
component('CountedShare', countedShareSchema);
component('MeanInterval', meanIntervalSchema);
component('Kappa', kappaSchema);

const { generator, temperatures, prompts, evaluation, triggers, revision, lessons, tune, callbacks, budget } =
  settingsSchema.shape;
component('Generator', generator);
component('TargetSettings', targetSettingsSchema);
component('Temperatures', temperatures.unwrap());
component('ModelSettings', modelSettingsSchema);
component('RoleModelSettings', modelSettingsSchema.shape.generate.unwrap().unwrap());
component('RevisionModelSettings', modelSettingsSchema.shape.revise.unwrap().unwrap());
component('OwnPrompts', prompts.unwrap());
component('EvaluationSettings', evaluation.unwrap());
component('Triggers', triggers.unwrap());
component('RevisionSettings', revision.unwrap());
component('LessonSettings', lessons.unwrap());
component('TuneSettings', tune.unwrap());
component('Callbacks', callbacks.unwrap());
component('Budget', budget.unwrap());
