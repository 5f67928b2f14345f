interface Progress {
  startTime: number;
  numTotalTestSuites: number;
  numFailedTestSuites: number;
  testResults: readonly unknown[];
}

/** A run prints about this many lines of progress. A run of fewer files prints none. */
const LINES = 20;

/** Prints the numbers of finished and of all test files, for Jest's option `reporters`. */
export default class ProgressReporter {
  onTestResult(_test: unknown, _result: unknown, progress: Progress): void {
    const { numTotalTestSuites: total, numFailedTestSuites: failed, testResults, startTime } = progress;
    const done = testResults.length;
    if (total < LINES) return;
    if (done % Math.ceil(total / LINES) !== 0 && done !== total) return;
    const seconds = Math.round((Date.now() - startTime) / 1_000);
    process.stderr.write(`${done} of ${total} test files are done, ${failed} failed (${seconds} s)\n`);
  }
}
