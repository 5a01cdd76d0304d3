-- AlterTable
ALTER TABLE "paid_replies" ADD COLUMN     "provider" TEXT NOT NULL DEFAULT '';
