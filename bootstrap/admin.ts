import { keepCompiled } from './compiled.ts';

keepCompiled();
await import('./operate.ts');
