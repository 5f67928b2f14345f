import { fork } from 'node:child_process';
import path from 'node:path';
import type { ProvenMutant } from './mutant.js';

/** The options that play seeds of each proof. */
const PLAYS = { simulation: '--seeds', orders: '--orders', wire: '--wire' } as const;
/** The start of a second thread takes longer than it saves when a mutant needs at most this many seeds. */
const SEEDS_OF_ONE_THREAD = 2_000;

/**
 * Runs a simulation or the wire proof of the program in `root`, up to the first bad seed.
 * @returns the violations with their seeds.
 */
export function runProof(root: string, { proof, seeds, store, with: features }: ProvenMutant): Promise<string[]> {
  const program = path.join(root, 'dist/apps/prove/src/main.js');
  const extra = features.length === 0 ? [] : ['--with', ...features];
  const jobs = proof === 'wire' || seeds <= SEEDS_OF_ONE_THREAD ? '1' : '2';
  const options = [PLAYS[proof], String(seeds), '--jobs', jobs, '--store', store, '--first', ...extra];
  return new Promise((resolve, reject) => {
    // The child process must end when this process ends. It notices that end only over the channel that `fork` opens.
    const child = fork(program, options, { silent: true });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      const bad = output.split('\n').filter((line) => line.includes(' is BAD: '));
      const isKnown = code === 0 ? bad.length === 0 : bad.length > 0;
      if (isKnown) resolve(bad);
      else reject(new Error(`the proof ended with the code ${code}:\n${output.slice(-2_000)}`));
    });
  });
}
