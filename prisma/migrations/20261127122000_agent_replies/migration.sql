-- AlterTable
ALTER TABLE "paid_replies" ADD COLUMN     "said" JSONB;

