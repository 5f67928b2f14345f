/**
 * platform/child-program: Node programs as child processes, for `npm start`, the tests, the proof and the benchmark.
 *
 * Owns: starting a program, its output, waiting for its address or its end, stopping it. Never does: restart a program
 * that has ended; serve in production.
 */
export { ChildProgram } from './child-program.js';
