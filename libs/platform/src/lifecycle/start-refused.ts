/**
 * The process cannot start for a reason outside of this program, such as an unreachable Redis. The message is for the
 * operator and needs no stack.
 */
export class StartRefused extends Error {}
