import { loadConfig } from '#platform/config';
import { TEST_API_KEY_PEPPER, urlAs } from '#platform/testing';
import { runCli } from '../src/cli.js';

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** Runs the command line against one database, as its own role. */
export class CommandLine {
  private readonly env: NodeJS.ProcessEnv;

  /** @param env its DATABASE_URL may name the role of any process. */
  constructor(env: NodeJS.ProcessEnv) {
    this.env = { ...env, DATABASE_URL: urlAs('cli', env.DATABASE_URL ?? '') };
  }

  async run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    const { outcome, end } = this.start(args, env);
    await end;
    return outcome;
  }

  /**
   * Starts a command without waiting for its end. `outcome` gets the output while the command runs, and the exit code
   * when `end` resolves.
   */
  start(args: string[], env: NodeJS.ProcessEnv = {}, isTerminal = false): { outcome: Outcome; end: Promise<void> } {
    const outcome = { code: -1, out: '', err: '' };
    const io = {
      config: () => loadConfig({ API_KEY_PEPPER: TEST_API_KEY_PEPPER, ...this.env, ...env }),
      out: (text: string) => void (outcome.out += text),
      err: (text: string) => void (outcome.err += text),
      secret: (name: string) => Promise.resolve(env[name] ?? ''),
      isTerminal,
    };
    const end = runCli(args, io).then((code) => {
      outcome.code = code;
    });
    return { outcome, end };
  }

  /** Returns the JSON output of a command that succeeds. */
  async json<T>(...args: string[]): Promise<T> {
    const { code, out, err } = await this.run([...args, '--json']);
    expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
    return JSON.parse(out) as T;
  }
}
