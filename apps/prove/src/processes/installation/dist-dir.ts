import path from 'node:path';

/** The compiled programs. This file is one of them, under Jest, too. */
export const distDir = path.resolve(import.meta.dirname, '../../../../..');
