-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "own_budget" JSONB;
