/** What one address may ask of the pages that people visit, together: for `@Public`. */
export const visits = { limit: { name: 'connect_visits', perMinute: 'CONNECT_VISITS_PER_MINUTE' } } as const;
