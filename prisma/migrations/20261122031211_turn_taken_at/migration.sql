-- AlterTable
ALTER TABLE "providers" ADD COLUMN     "turn_taken_at" TIMESTAMPTZ(3);
