-- AlterTable
ALTER TABLE "dataset_cases" ADD COLUMN     "criteria" JSONB;

-- AlterTable
ALTER TABLE "run_cases" ADD COLUMN     "criteria" JSONB;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "criteria" JSONB;
