-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "events" TEXT[] DEFAULT '{}';
