import path from 'node:path';
import { bundleCcxt } from './bundle-ccxt.js';

/** Bundles ccxt's classes for production: into `dist/node_modules`, where the programs look for packages first. */
const dist = path.resolve(import.meta.dirname, '../../..');
await bundleCcxt(path.dirname(dist), path.join(dist, 'node_modules'));
