-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "claimed_by" UUID;

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "held_by" UUID;

-- CreateTable
CREATE TABLE "paid_questions" (
    "fingerprint" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "held_by" UUID NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "paid_questions_pkey" PRIMARY KEY ("fingerprint","slot")
);
