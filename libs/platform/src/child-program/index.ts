/**
 * platform/child-program: Node programs as child processes, for `npm start`, the tests, the proof and the benchmark.
 *
 * Owns: starting a program, its output, waiting for its address or its end, stopping it; the end of a program whose
 * parent has ended. Never does: restart a program that has ended.
 */
export { ChildProgram } from './child-program.js';
export { exitWithParent } from './exit-with-parent.js';
