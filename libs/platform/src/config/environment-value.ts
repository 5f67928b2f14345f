/**
 * A value of the environment that is no setting, because it is a secret of one call of a command, such as the key that
 * `cli exchanges check` uses. undefined = it is not set.
 */
export function environmentValue(name: `CHECK_API_${string}`): string | undefined {
  return process.env[name];
}
