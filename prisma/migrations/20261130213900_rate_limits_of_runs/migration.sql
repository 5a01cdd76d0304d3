-- A run that waits for the rate limit of a provider. `pause_expires_at` is the time at which it continues.
ALTER TABLE "runs" ADD COLUMN     "rate_limit" JSONB;
