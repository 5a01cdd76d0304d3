-- AlterTable
ALTER TABLE "evaluations" ADD COLUMN     "proposed" JSONB;
