import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** A spec that has not ended after this time is stopped. */
const TIMEOUT_MS = 600_000;
/** Maximum number of characters of the output of a program that an error shows. */
const OUTPUT_MAX = 2_000;

/** The part of Jest's `--json` report that is read here. */
const JestReport = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) })),
});

/**
 * Compiles the sources in `root`, and runs one spec of them under Jest.
 * @param cwd the folder of the unchanged program, whose database server the tests use.
 * @returns the names of the tests that failed.
 * @throws Error when no test of the spec passed.
 */
export async function runSpec(spec: string, { root, cwd }: { root: string; cwd: string }): Promise<string[]> {
  const report = path.join(root, 'jest-report.json');
  rmSync(report, { force: true });
  // Compiles without checking types: the check takes most of the time, and a mutant may fail it.
  await run([path.join(root, 'node_modules/typescript-7/bin/tsc'), '-p', root, '--noCheck'], cwd);
  const output = await run(
    [
      path.join(root, 'node_modules/jest/bin/jest.js'),
      ...['--config', path.join(root, 'jest.config.ts'), '--cacheDirectory', path.join(root, '.jest-cache')],
      ...['--json', '--outputFile', report, '--forceExit'],
      ...['--runTestsByPath', path.join(root, spec), '--selectProjects', projectOf(spec)],
    ],
    cwd,
  );
  const failed = existsSync(report) ? failedTests(readFileSync(report, 'utf8')) : null;
  if (failed === null) throw new Error(`${spec} could not be run:\n${output}`);
  return failed;
}

/**
 * Runs a program of Node to its end, and returns the last part of its output. If this process exits first, it stops the
 * program.
 */
function run(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, timeout: TIMEOUT_MS });
    const stop = (): void => void child.kill();
    process.on('exit', stop);
    let output = '';
    const collect = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-OUTPUT_MAX));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', () => {
      process.off('exit', stop);
      resolve(output);
    });
  });
}

function projectOf(spec: string): 'unit' | 'int' {
  return /\.(int|e2e)-spec\.ts$/.test(spec) ? 'int' : 'unit';
}

/**
 * Reads a report of Jest.
 * @returns null when no test passed: the spec could not be compiled, or the setup of all its tests failed.
 */
export function failedTests(report: string): string[] | null {
  const { testResults } = JestReport.parse(JSON.parse(report));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (tests.every(({ status }) => status !== 'passed')) return null;
  return tests.filter(({ status }) => status === 'failed').map(({ fullName }) => `fails: ${fullName}`);
}
