/** The process cannot start because of its surroundings. Its message is for the operator and needs no stack. */
export class StartRefused extends Error {}
