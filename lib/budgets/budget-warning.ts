/** A budget beyond a run's own that is nearly or wholly used up: `spent` of `limit` dollars or tokens. */
export type BudgetWarning = { budget: 'month' | 'experiment'; unit: 'usd' | 'tokens'; spent: number; limit: number };
