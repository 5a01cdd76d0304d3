-- AlterTable
ALTER TABLE "batches" ADD COLUMN     "resumed_at" TIMESTAMPTZ(3);
