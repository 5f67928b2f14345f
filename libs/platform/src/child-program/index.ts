/**
 * platform/child-program: Node programs as child processes, for `npm start`, the tests, the proof and the benchmark.
 *
 * Owns: starting one, its output, waiting for its address or its end, stopping it. Never does: start it again; serve in
 * production.
 */
export { ChildProgram } from './child-program.js';
