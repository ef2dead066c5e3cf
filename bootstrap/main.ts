import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Kept in the project's own tree, which nobody else may write; where we may not either, there is no cache.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
await import('./start.ts');
