/** What the users of a class see of it. */
export type PublicFace<T> = Pick<T, keyof T>;

/** An object that does all that a class shows, for a constructor that asks for the class. */
export function standInFor<T>(face: PublicFace<T>): T {
  return face;
}
