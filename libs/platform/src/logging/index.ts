/**
 * platform/logging: one line per event, as JSON or for a terminal.
 *
 * Owns: the form of a line and what may be in it. Never does: log bodies, headers or credentials.
 */
export { NestLogger, createLogger, type Logger } from './logger.js';
export { LoggingModule, LOGGER } from './logging.module.js';
