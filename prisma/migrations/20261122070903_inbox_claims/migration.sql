-- CreateTable
CREATE TABLE "inbox_claims" (
    "window_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inbox_claims_pkey" PRIMARY KEY ("window_id")
);

-- CreateIndex
CREATE INDEX "inbox_claims_run_id_idx" ON "inbox_claims"("run_id");

-- AddForeignKey
ALTER TABLE "inbox_claims" ADD CONSTRAINT "inbox_claims_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
