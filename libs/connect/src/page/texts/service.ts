/** Our name on the hosted page, in every language. */
export const SERVICE = 'Causeway';
