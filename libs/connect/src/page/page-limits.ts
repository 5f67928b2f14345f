/** What one address may ask of the pages that people visit, together: for `@Public`. */
export const visits = { limit: { name: 'connect_visits', perMinute: 'CONNECT_VISITS_PER_MINUTE' } } as const;

/** How often open pages look by themselves: counted apart, so that nobody's pages keep anybody from coming back. */
export const looks = { limit: { name: 'connect_looks', perMinute: 'CONNECT_LOOKS_PER_MINUTE' } } as const;
