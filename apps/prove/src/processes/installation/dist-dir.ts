import path from 'node:path';

/** The folder of the compiled programs. This file runs compiled inside this folder, under Jest, too. */
export const distDir = path.resolve(import.meta.dirname, '../../../../..');
