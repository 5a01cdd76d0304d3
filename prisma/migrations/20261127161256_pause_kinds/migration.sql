-- AlterTable
ALTER TABLE "experiment_versions" ADD COLUMN     "mode" TEXT GENERATED ALWAYS AS ("settings"->>'mode') STORED,
ADD COLUMN     "escalates" BOOLEAN GENERATED ALWAYS AS (("settings"->'callbacks'->>'escalate')::boolean) STORED;
