/** The limit of pages that a person opens. It counts the requests of one IP address to all these pages together. */
export const pageLimit = { limit: { name: 'connect_visits', perMinute: 'CONNECT_VISITS_PER_MINUTE' } } as const;

/**
 * The limit of the polls of open pages. It is a separate limit, so that polls never keep a person from opening a page.
 */
export const pollLimit = { limit: { name: 'connect_polls', perMinute: 'CONNECT_POLLS_PER_MINUTE' } } as const;
