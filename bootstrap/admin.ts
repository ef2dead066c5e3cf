import { keepCompiled, keepPrivate } from './compiled.ts';

keepPrivate();
keepCompiled();
await import('./operate.ts');
