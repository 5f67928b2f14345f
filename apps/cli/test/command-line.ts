import { TEST_API_KEY_PEPPER } from '#access/testing';
import { loadConfig } from '#platform/config';
import { runCli } from '../src/cli.js';

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** The command line against one database. */
export class CommandLine {
  constructor(private readonly env: NodeJS.ProcessEnv) {}

  async run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    const outcome = { code: -1, out: '', err: '' };
    outcome.code = await runCli(args, {
      config: () => loadConfig({ API_KEY_PEPPER: TEST_API_KEY_PEPPER, ...this.env, ...env }),
      out: (text) => (outcome.out += text),
      err: (text) => (outcome.err += text),
    });
    return outcome;
  }

  /** What a command that succeeds writes for programs. */
  async json<T>(...args: string[]): Promise<T> {
    const { code, out, err } = await this.run([...args, '--json']);
    expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
    return JSON.parse(out) as T;
  }
}
