-- AlterTable
ALTER TABLE "case_tries" ADD COLUMN     "issues" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "suggestions" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Settings saved before `tune.references` existed never sent references to the reflection model: they keep it that way.
UPDATE "experiment_versions" SET "settings" = jsonb_set("settings", '{tune,references}', 'false')
WHERE "settings"->>'mode' = 'tune' AND "settings"->'tune' IS NOT NULL AND NOT "settings"->'tune' ? 'references';
