/**
 * platform/logging: one log line for each event, as JSON or readable for a terminal.
 *
 * Owns: the format of a line and its allowed content. Never does: log bodies, headers or credentials.
 */
export { NestLogger, createLogger, type Logger } from './logger.js';
export { logConsole } from './log-console.js';
export { logRepeated } from './log-repeated.js';
export { LoggingModule, LOGGER } from './logging.module.js';
