interface EnvironmentConfig {
  projectConfig: { globals: Record<string, unknown> };
}

/**
 * The process itself as the environment of a test file, for Jest's option `testEnvironment`. The files that one worker
 * runs share its global object; the environment undoes what Jest and a test file have changed in it.
 */
export default class NativeEnvironment {
  readonly global = globalThis;
  private readonly globals: Record<string, unknown>;
  private readonly console = globalThis.console;
  private readonly exit = process.exit.bind(process);
  private readonly env = { ...process.env };

  constructor({ projectConfig }: EnvironmentConfig) {
    this.globals = projectConfig.globals;
    Object.assign(globalThis, this.globals);
  }

  async setup(): Promise<void> {}

  teardown(): Promise<void> {
    for (const name of Object.keys(this.globals)) Reflect.deleteProperty(globalThis, name);
    for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, this.env);
    process.exit = this.exit;
    globalThis.console = this.console;
    return Promise.resolve();
  }

  /** Returns null, because test files do not run in a separate VM context. */
  getVmContext(): null {
    return null;
  }
}
