/** Version of the credentials that the simulated wallet was connected with. */
export const FIRST_CREDENTIALS = '00000000-0000-7000-8000-00000000c0de';
