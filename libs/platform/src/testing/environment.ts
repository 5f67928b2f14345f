/** Sets environment variables that a library reads by itself. The test runtime restores the environment afterwards. */
export function setEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
}
