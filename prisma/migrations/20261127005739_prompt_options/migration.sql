-- AlterTable
ALTER TABLE "prompt_drafts" ADD COLUMN     "response_schema" JSONB,
ADD COLUMN     "tools" JSONB;

-- AlterTable
ALTER TABLE "prompt_versions" ADD COLUMN     "response_schema" JSONB,
ADD COLUMN     "tools" JSONB;
