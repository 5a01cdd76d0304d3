-- AlterTable
ALTER TABLE "model_calls" ADD COLUMN     "maybe_billed" JSONB;

-- AlterTable
ALTER TABLE "providers" ADD COLUMN     "timeout_seconds" INTEGER;

-- CreateTable
CREATE TABLE "refused_parameters" (
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "parameter" TEXT NOT NULL,
    "base_url" TEXT,
    "message" TEXT NOT NULL,
    "refused_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refused_parameters_pkey" PRIMARY KEY ("provider","model","parameter")
);
